/** Reads a call out of an HTTP request, and answers it. */
import type { HonoRequest } from 'hono'
import { Refusal } from '#app/domain/errors.ts'
import type { Asked } from './carry-out.server.ts'
import type { Call } from './contract/call.ts'
import { textOf } from './fingerprint.server.ts'
import type { Done } from './idempotency.server.ts'
import { locationOf } from './location.server.ts'

export const askedBy = (call: Call, req: HonoRequest): Asked => ({
  ids: req.param() as Record<string, string>,
  query: Object.fromEntries(
    Object.entries(req.queries()).map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
  ),
  readBody: () => (call.form ? readForm(req) : readJson(req)),
  range: req.header('range'),
  key: req.header('idempotency-key'),
  fingerprint: async () =>
    `${req.path}${new URL(req.url).search}\n${call.form ? await textOf(await readForm(req)) : await req.text()}`,
})

const JSON_TYPE = /^application\/([\w.-]+\+)?json\s*(;|$)/i

async function readJson(req: HonoRequest): Promise<unknown> {
  const type = req.header('content-type')
  const text = toText(await req.arrayBuffer())
  if (type ? !JSON_TYPE.test(type) : text !== '') throw new Refusal(415, 'Unsupported Media Type')
  if (!type) return {}
  try {
    return JSON.parse(text)
  } catch {
    throw new Refusal(400, 'Malformed JSON in request body')
  }
}

/** Text that is not valid UTF-8 would be stored with other characters than were sent. */
function toText(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Refusal(400, 'The request body is not UTF-8')
  }
}

async function readForm(req: HonoRequest): Promise<unknown> {
  const type = req.header('content-type')
  if (!type) return {}
  if (!/^multipart\/form-data\b/i.test(type)) throw new Refusal(415, 'Unsupported Media Type')
  const form = await req.formData().catch(() => {
    throw new Refusal(400, 'Malformed FormData request.')
  })
  const fields: Record<string, unknown> = Object.create(null)
  for (const name of new Set(form.keys())) {
    const values = form.getAll(name)
    fields[name] = values.length === 1 ? values[0] : values
  }
  return fields
}

export function toResponse(call: Call, { status, value, is_replayed }: Done): Response {
  if (value instanceof Response) return value
  const location = locationOf(call, value)
  return Response.json(value, {
    status,
    headers: { ...(is_replayed && { 'idempotency-replayed': 'true' }), ...(location && { location }) },
  })
}
