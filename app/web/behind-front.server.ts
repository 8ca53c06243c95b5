/** The site behind a server that is not ours (`remix-serve`): each request's context comes from the front. */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { AppLoadContext, ServerBuild } from '@remix-run/node'
import type { Request, RequestHandler, Response } from 'express'
import { withOurAnswers } from './routes.server.ts'
import { createContext } from './site.server.ts'

type Identity = { port(req: Request, res: Response): AppLoadContext['identity'] }
type Work = (...args: never[]) => unknown
type Route = NonNullable<ServerBuild['routes'][string]>

const current = new AsyncLocalStorage<AppLoadContext>()

/** `site` wraps the handler behind the front; `build` is the build to give that server. */
export function behindFront(built: ServerBuild, identity: Identity) {
  const site =
    (inner: RequestHandler): RequestHandler =>
    (req, res, next) =>
      current.run(createContext(req, res, identity.port(req, res)), () => inner(req, res, next))
  return { site, build: known(withOurAnswers(built)) }
}

/** Closed by default: a request that bypassed the front gets no answer. */
function introduce(context: AppLoadContext): void {
  const found = current.getStore()
  if (!found) throw new Error('This request has not come through the front.')
  Object.assign(context, found)
}

function known(build: ServerBuild): ServerBuild {
  const routes = Object.entries(build.routes).map(([id, route]) => [id, route && introduced(route)])
  const { default: draw, handleError, ...rest } = build.entry.module
  const module: ServerBuild['entry']['module'] = {
    ...rest,
    default: (request, status, headers, remix, context) => {
      introduce(context)
      return draw(request, status, headers, remix, context)
    },
    handleError: (error, args) => {
      introduce(args.context)
      handleError?.(error, args)
    },
  }
  return { ...build, entry: { ...build.entry, module }, routes: Object.fromEntries(routes) }
}

function introduced(route: Route): Route {
  const { loader, action } = route.module
  const known = <Of extends Work | undefined>(work: Of): Of =>
    (work &&
      ((args: { context: AppLoadContext }) => {
        introduce(args.context)
        return work(args as never)
      })) as unknown as Of
  return {
    ...route,
    module: {
      ...route.module,
      ...(loader && { loader: known(loader) }),
      ...(action && { action: known(action) }),
    },
  }
}
