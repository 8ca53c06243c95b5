/** The calls of the API, as its own document names them: `GET /users/{id}`. */
import { createApi } from '#app/api/app.server.ts'
import type { Database } from '#app/domain/scope/scope.server.ts'

type Schema = {
  $ref?: string
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
}
type Call = {
  'x-idempotency'?: string
  requestBody?: { content?: Record<string, { schema?: Schema }> }
  parameters?: { in: string }[]
  responses?: Record<string, { description?: string; content?: Record<string, { schema?: Schema }> }>
}

type Document = {
  paths: Record<string, Record<string, Call>>
  components: { schemas: Record<string, Schema> }
}

async function readDocument(): Promise<Document> {
  const document = await createApi({ database: () => ({}) as Database }).request('/api/v1/openapi.json')
  return (await document.json()) as Document
}

async function calls(): Promise<{ name: string; call: Call }[]> {
  const { paths } = await readDocument()
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, call]) => ({
      name: `${method.toUpperCase()} ${path.replace('/api/v1', '')}`,
      call,
    })),
  )
}

export const callsOfRouter = async (): Promise<string[]> => (await calls()).map(({ name }) => name)

/** The calls that read a body or a query, and refuse what they cannot parse. */
export async function callsWithInput(): Promise<{ withBody: string[]; withQuery: string[] }> {
  const all = await calls()
  const withBody = all.filter(({ call }) => call.requestBody).map(({ name }) => name)
  const withQuery = all
    .filter(
      ({ name, call }) => !withBody.includes(name) && call.parameters?.some((one) => one.in === 'query'),
    )
    .map(({ name }) => name)
  return { withBody, withQuery }
}

/** The schema of the body, for each call that takes JSON. */
export async function callBodies(): Promise<{ name: string; schema: object | undefined }[]> {
  return (await calls()).flatMap(({ name, call }) => {
    const json = call.requestBody?.content?.['application/json']
    return json ? [{ name, schema: json.schema }] : []
  })
}

/** The calls that return a table for a spreadsheet. */
export async function callsWithTable(): Promise<string[]> {
  const all = await calls()
  return all.filter(({ call }) => call.responses?.['200']?.content?.['text/csv']).map(({ name }) => name)
}

/** Every field of answers that states what the caller can do. */
export async function flagsOfAnswers(): Promise<string[]> {
  const document = JSON.stringify(await readDocument())
  return [...new Set(document.match(/(?<=")may_\w+(?=":)/g))].sort()
}

/** For calls that create something: all fields of input and output, and whether their answers are kept. */
export async function wordsOfPosts(): Promise<{ name: string; words: string[]; kept: string | undefined }[]> {
  const { components } = await readDocument()
  const wordsOf = (schema: Schema | undefined, depth = 0): string[] => {
    if (!schema || depth > 12) return []
    const { $ref, properties = {}, items, anyOf = [], oneOf = [], allOf = [] } = schema
    const inside = [...Object.values(properties), ...anyOf, ...oneOf, ...allOf, ...(items ? [items] : [])]
    if ($ref) inside.push(components.schemas[$ref.split('/').at(-1) ?? ''] ?? {})
    return [...Object.keys(properties), ...inside.flatMap((one) => wordsOf(one, depth + 1))]
  }
  const json = 'application/json'
  return (await calls())
    .filter(({ name }) => name.startsWith('POST'))
    .map(({ name, call }) => ({
      name,
      words: [
        call.requestBody,
        call.responses?.['200'],
        call.responses?.['201'],
        call.responses?.['202'],
      ].flatMap((one) => wordsOf(one?.content?.[json]?.schema)),
      kept: call['x-idempotency'],
    }))
}
