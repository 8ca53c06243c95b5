/** The OpenAPI document, generated from the calls alone. */
import { OpenAPIHono, type RouteConfig, z } from '@hono/zod-openapi'
import type { Call } from './contract/call.ts'
import { CALLS } from './contract/calls.ts'
import { hasLocation } from './location.server.ts'
import { corrected } from './schema-corrections.server.ts'

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

const RetryAfter = z.object({ 'retry-after': z.number().int().describe('Seconds') })

const Location = z.object({ location: z.string().describe('Where it is read') })

const ALWAYS = {
  400: answer(Problem, 'Not well-formed: the address, a header or the body'),
  422: answer(Problem, 'The request is not valid; detail names the fields'),
  429: { ...answer(Problem, 'Too many requests'), headers: RetryAfter },
  503: { ...answer(Problem, 'Not available right now, and tried again in a moment'), headers: RetryAfter },
}
const MISSING = { 404: answer(Problem, 'Does not exist in the scope of the caller') }
const OF_BODIES = {
  413: answer(Problem, 'The body is too large'),
  415: answer(Problem, 'The body is of another type'),
}
const OF_CALLERS = {
  401: answer(Problem, 'No token, or one that is not, or no longer, valid'),
  403: answer(Problem, 'Not allowed'),
  ...MISSING,
  409: answer(Problem, 'Taken, or saved by somebody else meanwhile (see current)'),
}

const SubTenantHeader = z.object({
  'X-Sub-Tenant-Id': z.uuid().optional().describe('Enters a sub-tenant'),
})
const RepeatHeader = z.object({
  'Idempotency-Key': z
    .string()
    .max(200)
    .optional()
    .describe('A repeat with the same key and body is answered as the first one was'),
})

let document: ReturnType<typeof generate> | undefined
export function describeApi() {
  document ??= generate()
  return document
}

function generate() {
  const { openAPIRegistry: registry, ...api } = new OpenAPIHono()
  for (const call of CALLS) registry.registerPath(toRoute(call))
  registry.registerComponent('securitySchemes', 'bearer', { type: 'http', scheme: 'bearer' })
  return corrected(
    api.getOpenAPI31Document({
      openapi: '3.1.0',
      info: { title: 'Liftwell', version: '1', description: 'Journeys, lifts, people and tenants.' },
      servers: [{ url: '/' }],
      security: [{ bearer: [] }],
    }),
  )
}

function toRoute(call: Call): RouteConfig {
  const { answers, status = 200, described = 'OK' } = call
  const isPublic = call.may === 'anyone'
  const success =
    'files' in answers
      ? answers.files
      : { [status]: { ...answer(answers, described), ...(hasLocation(call) && { headers: Location }) } }
  const body = bodyOf(call)
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
      ...(!isPublic && { headers: headersOf(call) }),
      ...body,
    },
    responses: {
      ...success,
      ...ALWAYS,
      ...(isPublic ? call.ids && MISSING : OF_CALLERS),
      ...(body.body && OF_BODIES),
    },
  }
}

const headersOf = ({ method, repeats }: Call) =>
  method === 'POST' && repeats !== 'each time' ? SubTenantHeader.extend(RepeatHeader.shape) : SubTenantHeader

function bodyOf({ body, form }: Call): Pick<NonNullable<RouteConfig['request']>, 'body'> {
  if (body) return { body: { content: { 'application/json': { schema: body } }, required: true } }
  return form ? { body: { content: { 'multipart/form-data': { schema: form } }, required: true } } : {}
}
