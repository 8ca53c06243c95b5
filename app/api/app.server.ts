/** The HTTP API: every call of the contract at its path, after the same authentication. */
import { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { Replica } from '#app/db/replica.server.ts'
import type { Database } from '#app/domain/scope/scope.server.ts'
import type { Limiter } from '#app/integrations/rate.server.ts'
import { authenticate, requireJson } from './authenticate.server.ts'
import { carryOut, carryOutForAnyone } from './carry-out.server.ts'
import { docsPage } from './docs.server.ts'
import { describeApi } from './document.server.ts'
import type { ApiEnv } from './env.server.ts'
import { limitKeys, tellRate } from './key-rates.server.ts'
import { problemOf, problemResponse } from './problem.server.ts'
import { askedBy, toResponse } from './request.server.ts'
import { SERVED } from './served.server.ts'
import { serveTryIt } from './try-it.server.ts'
import type { Turns } from './turns.server.ts'
import type { WorkLimits } from './work-limits.server.ts'

type Api = Hono<ApiEnv>

type Setting = {
  /** A pool of connections with the application role. */
  database: () => Database
  replica?: Replica | undefined
  limits?: WorkLimits
  rates?: Limiter
  turns?: Turns
}

export function createApi({ database, replica, limits, rates = limitKeys(), turns }: Setting): Api {
  const api: Api = new Hono<ApiEnv>().basePath('/api/v1') as Api
  api.onError((error, c) =>
    problemOf(error, {
      ...{ method: c.req.method, path: c.req.path, request_id: c.env?.request_id },
      user: c.get('caller')?.principal.user_id,
    }),
  )
  api.notFound(({ req }) => {
    const allowed = methodsAt(api, req.path)
    if (allowed.length === 0 || allowed.includes(req.method))
      return problemResponse({ status: 404, detail: 'Not Found' })
    const detail = `This address accepts ${allowed.join(', ')}.`
    return problemResponse({ status: 405, detail, headers: { allow: allowed.join(', ') } })
  })
  api.use(neverStored)
  api.use(requireJson)

  api.get('/openapi.json', (c) => c.json(describeApi()))
  api.get('/docs', (c) => c.html(docsPage()))
  serveTryIt(api)
  for (const served of SERVED.filter(({ call }) => call.may === 'anyone'))
    api.on(served.call.method, routeOf(served.call.path), async (c) =>
      toResponse(served.call, await carryOutForAnyone(served, askedBy(served.call, c.req), database())),
    )

  api.use(tellRate)
  api.use(authenticate(database, rates))
  for (const served of SERVED.filter(({ call }) => call.may !== 'anyone'))
    api.on(served.call.method, routeOf(served.call.path), async (c) =>
      toResponse(
        served.call,
        await carryOut(served, askedBy(served.call, c.req), c.var.caller, {
          database: database(),
          replica,
          limits,
          turns,
        }),
      ),
    )
  return api
}

const routeOf = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1')

const neverStored = createMiddleware(async (c, next) => {
  await next()
  if (!c.res.headers.has('cache-control')) c.res.headers.set('cache-control', 'no-store')
})

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

function methodsAt({ router }: Api, path: string): string[] {
  const answers = (method: string) =>
    router.match(method, path)[0].some(([[, route]]) => route.method === method)
  const allowed = METHODS.filter(answers)
  return allowed.includes('GET') ? [...allowed, 'HEAD'] : allowed
}
