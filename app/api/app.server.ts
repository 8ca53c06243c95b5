/** The HTTP API: every resource at its path, behind one door. */
import { createMiddleware } from 'hono/factory'
import { getDatabases } from '#app/db/databases.server.ts'
import type { Database } from '#app/domain/scope.server.ts'
import { docsPage } from './docs.server.ts'
import { type ApiEnv, createRouter } from './env.server.ts'
import { problemResponse, toProblem } from './problem.server.ts'
import { publicResources, resources } from './resources.server.ts'
import { authenticate, requireJson, scoped } from './scoped.server.ts'
import type { limitWork } from './work-rates.server.ts'

/** `database` is the application role's; by default that of this process. */
export function createApi(
  database: () => Database = () => getDatabases().app,
  limit?: ReturnType<typeof limitWork>,
) {
  const api = createRouter().basePath('/api/v1')
  api.onError(toProblem)
  api.notFound(({ req }) => {
    const allowed = methodsAt(api, req.path)
    if (allowed.length === 0 || allowed.includes(req.method))
      return problemResponse({ status: 404, detail: 'Not Found' })
    const detail = `This address takes ${allowed.join(', ')}.`
    return problemResponse({ status: 405, detail, headers: { allow: allowed.join(', ') } })
  })
  api.use(
    createMiddleware<ApiEnv>(async (c, next) => {
      c.set('database', database())
      await next()
      if (!c.res.headers.has('cache-control')) c.res.headers.set('cache-control', 'no-store')
    }),
  )
  api.use(requireJson)

  api.doc31('/openapi.json', {
    openapi: '3.1.0',
    info: { title: 'Liftwell', version: '1', description: 'Journeys, lifts, people and tenants.' },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }],
  })
  api.openAPIRegistry.registerComponent('securitySchemes', 'bearer', { type: 'http', scheme: 'bearer' })
  api.get('/docs', (c) => c.html(docsPage(api)))
  for (const [path, router] of publicResources) api.route(path, router)

  api.use(authenticate)
  if (limit) api.use(limit)
  api.use(scoped)
  for (const [path, router] of resources) api.route(path, router)
  return api
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** By which methods something answers at a path. */
function methodsAt({ router }: ReturnType<typeof createRouter>, path: string): string[] {
  const answers = (method: string) =>
    router.match(method, path)[0].some(([[, route]]) => route.method === method)
  const allowed = METHODS.filter(answers)
  return allowed.includes('GET') ? [...allowed, 'HEAD'] : allowed
}
