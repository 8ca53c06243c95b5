/** The site behind the front: the identity provider where it is mounted, Remix everywhere else. */
import { createRequestHandler } from '@remix-run/express'
import type { AppLoadContext, ServerBuild } from '@remix-run/node'
import { type NextFunction, type Request, type RequestHandler, type Response, Router } from 'express'
import onHeaders from 'on-headers'
import { handleByBranch } from './branches.server.ts'
import { answerCalls, type CallApi } from './calls.server.ts'
import { withOurAnswers } from './routes.server.ts'

type Parts = { getConfig(): { WEB_TIER: boolean }; callApi: CallApi }

export type SiteOptions = {
  identity: {
    handle(req: Request, res: Response, next: NextFunction): void
    port(req: Request, res: Response): AppLoadContext['identity']
  }
  hooks?: ((req: Request, res: Response, next: NextFunction) => void) | undefined
  build: ServerBuild | (() => Promise<ServerBuild>)
  mode: string
}

export function createSite({ identity, hooks, build, mode }: SiteOptions): RequestHandler {
  const site = Router()
  site.use('/idp', identity.handle)
  if (hooks) site.use('/api/v1/hooks', hooks)
  const options = {
    mode,
    getLoadContext: (req: Request, res: Response) => createContext(req, res, identity.port(req, res)),
  }
  site.use(
    answerCalls(
      async () => apiOf(typeof build === 'function' ? await build() : build),
      options.getLoadContext,
    ),
  )
  site.use(
    typeof build === 'function'
      ? createRequestHandler({ ...options, build: async () => withOurAnswers(await build()) })
      : handleByBranch({ ...options, build: withOurAnswers(build) }),
  )
  return site
}

/** Read for each request, because in development the API is reloaded after a change, like the pages. */
function apiOf({ entry }: ServerBuild): CallApi | undefined {
  const { getConfig, callApi } = (entry.module as unknown as { parts: Parts }).parts
  return getConfig().WEB_TIER ? undefined : callApi
}

/** The context of one request, and the headers its answer gets from it. */
export function createContext(
  req: Request,
  res: Response,
  identity: AppLoadContext['identity'],
): AppLoadContext {
  const { nonce, request_id, ip, found } = res.locals
  const is_for_script = req.path.endsWith('.data')
  const context: AppLoadContext = { nonce, request_id, ip, found, is_for_script, identity }
  onHeaders(res, () => {
    keepSession(res, context)
    admitOutage(res, context)
    sayWhenAgain(res, context)
  })
  return context
}

/** Renews the cookies of a session; cookies that the answer itself sets come later and win. */
function keepSession(res: Response, { found }: AppLoadContext): void {
  const kept = found.get('session_cookies')
  if (Array.isArray(kept))
    res.setHeader('Set-Cookie', [...kept, ...[res.getHeader('Set-Cookie') ?? []].flat().map(String)])
}

/** Default `Retry-After` in seconds. */
const WHEN_AGAIN: Record<number, number> = { 429: 60, 503: 5 }

/** Adds `Retry-After` to a 429 or 503: the API's own value where it gave one. */
function sayWhenAgain(res: Response, { found }: AppLoadContext): void {
  const seconds = WHEN_AGAIN[res.statusCode]
  if (seconds === undefined || res.hasHeader('retry-after')) return
  res.setHeader('Retry-After', String(found.get('retry_after') ?? seconds))
}

/** A failure because the database is away is temporary, so the answer is a 503 that says when to retry. */
function admitOutage(res: Response, context: AppLoadContext): void {
  if (!context.outage || res.statusCode < 500) return
  res.statusCode = 503
  res.setHeader('Retry-After', '2')
}
