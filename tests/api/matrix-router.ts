/** The calls of the API, as its own document names them: `GET /users/{id}`. */
import { createApi } from '#app/api/app.server.ts'
import type { Database } from '#app/domain/scope.server.ts'

type Call = {
  requestBody?: { content?: Record<string, { schema?: object }> }
  parameters?: { in: string }[]
  responses?: Record<string, { description?: string; content?: Record<string, unknown> }>
}

async function calls(): Promise<{ name: string; call: Call }[]> {
  const document = await createApi(() => ({}) as Database).request('/api/v1/openapi.json')
  const { paths } = (await document.json()) as { paths: Record<string, Record<string, Call>> }
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, call]) => ({
      name: `${method.toUpperCase()} ${path.replace('/api/v1', '')}`,
      call,
    })),
  )
}

export const callsOfRouter = async (): Promise<string[]> => (await calls()).map(({ name }) => name)

/** Those that read something out of a body or a query, and refuse what they cannot read. */
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

/** Of the calls that take JSON, what it may be. */
export async function callBodies(): Promise<{ name: string; schema: object | undefined }[]> {
  return (await calls()).flatMap(({ name, call }) => {
    const json = call.requestBody?.content?.['application/json']
    return json ? [{ name, schema: json.schema }] : []
  })
}

/** Those that answer a table for a spreadsheet. */
export async function callsWithTable(): Promise<string[]> {
  const all = await calls()
  return all.filter(({ call }) => call.responses?.['200']?.content?.['text/csv']).map(({ name }) => name)
}
