/** The document of the API, and nothing in it that a call does not say of itself. */
import { OpenAPIHono, type RouteConfig, z } from '@hono/zod-openapi'
import type { Call } from './contract/call.ts'
import { CALLS } from './contract/calls.ts'

const Problem = z
  .object({
    has_error: z.literal(true),
    status: z.number().int(),
    detail: z.union([z.string(), z.record(z.string(), z.array(z.string()))]),
    current: z.unknown().optional(),
  })
  .openapi('Problem')

const answer = (schema: z.ZodType, description: string) => ({
  content: { 'application/json': { schema } },
  description,
})

const UNREADABLE = { 422: answer(Problem, 'The request is not valid; detail names the fields') }
const REFUSALS = {
  401: answer(Problem, 'No token, or one that is not, or no longer, valid'),
  403: answer(Problem, 'Not allowed'),
  404: answer(Problem, 'Does not exist in the scope of the caller'),
  409: answer(Problem, 'Taken, or saved by somebody else meanwhile (see current)'),
  ...UNREADABLE,
}

let document: ReturnType<typeof generate> | undefined
export function describeApi() {
  document ??= generate()
  return document
}

function generate() {
  const { openAPIRegistry: registry, ...api } = new OpenAPIHono()
  for (const call of CALLS) registry.registerPath(toRoute(call))
  registry.registerComponent('securitySchemes', 'bearer', { type: 'http', scheme: 'bearer' })
  return api.getOpenAPI31Document({
    openapi: '3.1.0',
    info: { title: 'Liftwell', version: '1', description: 'Journeys, lifts, people and tenants.' },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }],
  })
}

function toRoute(call: Call): RouteConfig {
  const { answers, status = 200, described = 'OK' } = call
  const isPublic = call.may === 'anyone'
  const success = 'files' in answers ? answers.files : { [status]: answer(answers, described) }
  return {
    ...(call.repeats === 'each time' && { 'x-idempotency': 'never kept' }),
    method: call.method.toLowerCase() as RouteConfig['method'],
    path: `/api/v1${call.path}`,
    tags: [call.tag],
    summary: call.does,
    ...(call.remark && { description: call.remark }),
    ...(isPublic && { security: [] }),
    request: {
      ...(call.ids && { params: call.ids }),
      ...(call.query && { query: call.query }),
      ...bodyOf(call),
    },
    responses: { ...success, ...(isPublic ? UNREADABLE : REFUSALS) },
  }
}

function bodyOf({ body, form }: Call): Pick<NonNullable<RouteConfig['request']>, 'body'> {
  if (body) return { body: { content: { 'application/json': { schema: body } }, required: true } }
  return form ? { body: { content: { 'multipart/form-data': { schema: form } }, required: true } } : {}
}
