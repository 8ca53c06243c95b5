/** The site behind the front: the identity provider where it is mounted, Remix everywhere else. */
import { createRequestHandler } from '@remix-run/express'
import type { AppLoadContext, ServerBuild } from '@remix-run/node'
import { type NextFunction, type Request, type RequestHandler, type Response, Router } from 'express'
import onHeaders from 'on-headers'
import { withOurAnswers } from './routes.server.ts'

export type SiteOptions = {
  identity: {
    handle(req: Request, res: Response, next: NextFunction): void
    port(req: Request, res: Response): AppLoadContext['identity']
  }
  /** What a carrier of texts tells us. */
  hooks?: ((req: Request, res: Response, next: NextFunction) => void) | undefined
  build: ServerBuild | (() => Promise<ServerBuild>)
  mode: string
}

export function createSite({ identity, hooks, build, mode }: SiteOptions): RequestHandler {
  const site = Router()
  site.use('/idp', identity.handle)
  if (hooks) site.use('/hooks/sms', hooks)
  site.use(
    createRequestHandler({
      build: typeof build === 'function' ? async () => withOurAnswers(await build()) : withOurAnswers(build),
      mode,
      getLoadContext(req, res) {
        const { nonce, request_id, ip, found } = res.locals
        const is_for_script = req.path.endsWith('.data')
        const port = identity.port(req, res)
        const context: AppLoadContext = { nonce, request_id, ip, found, is_for_script, identity: port }
        onHeaders(res, () => {
          admitOutage(res, context)
          sayWhenAgain(res, context)
        })
        return context
      },
    }),
  )
  return site
}

/** Whoever asked too often is told when to come back: what the API said, where it was the API. */
function sayWhenAgain(res: Response, { found }: AppLoadContext): void {
  if (res.statusCode !== 429 || res.hasHeader('retry-after')) return
  res.setHeader('Retry-After', String(found.get('retry_after') ?? 60))
}

/** A failure because the database is away passes by itself: whoever asked is told to come back. */
function admitOutage(res: Response, context: AppLoadContext): void {
  if (!context.outage || res.statusCode < 500) return
  res.statusCode = 503
  res.setHeader('Retry-After', '2')
}
