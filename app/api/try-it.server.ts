/** Makes a call with an API key from a plain form. The key is neither stored nor written back into the page. */
import type { Hono } from 'hono'
import { isApiKeySecret } from '#app/domain/api-keys/api-keys.server.ts'
import { type Call, fieldsOf } from './contract/call.ts'
import { CALLS, nameOf } from './contract/calls.ts'
import { isOpenToKeys } from './contract/may.ts'
import type { ApiEnv } from './env.server.ts'
import { type Outcome, tryPage } from './try-page.server.ts'

const PATH = '/docs/try'
const LONGEST_ANSWER = 100_000

export const canBeTried = (call: Call): boolean => isOpenToKeys(call) && call.may !== 'anyone' && !call.form
export const tryPath = (call: Call): string => `/api/v1${PATH}?call=${encodeURIComponent(nameOf(call))}`

export function serveTryIt(api: Hono<ApiEnv>): void {
  api.get(PATH, (c) => {
    const call = callNamed(c.req.query('call'))
    return call ? c.html(tryPage(call, {})) : c.notFound()
  })
  api.post(PATH, async (c) => {
    const call = callNamed(c.req.query('call'))
    if (!call) return c.notFound()
    const { key = '', ...typed } = await readFields(c.req.raw)
    const problem = isApiKeySecret(key.trim())
      ? missing(call, typed)
      : 'Enter an API key. It begins with lw_.'
    if (problem) return c.html(tryPage(call, typed, { problem }), 400)
    const { caller: _, ...env } = c.env ?? {}
    const answer = await api.request(addressOf(call, typed), requestOf(call, typed, key.trim()), env)
    return c.html(tryPage(call, typed, await outcomeOf(answer)))
  })
}

const callNamed = (name?: string): Call | undefined =>
  CALLS.find((call) => nameOf(call) === name && canBeTried(call))

async function readFields(request: Request): Promise<Record<string, string>> {
  const form = await request.formData().catch(() => new FormData())
  return Object.fromEntries(
    [...form].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  )
}

function missing(call: Call, typed: Record<string, string>): string | undefined {
  const empty = fieldsOf(call.ids).find((name) => !typed[`id.${name}`]?.trim())
  return empty && `Enter ${empty}.`
}

function addressOf({ path, query }: Call, typed: Record<string, string>): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name) =>
    encodeURIComponent((typed[`id.${name}`] ?? '').trim()),
  )
  const asked = new URLSearchParams()
  for (const name of fieldsOf(query)) {
    const value = typed[`query.${name}`]?.trim()
    if (value) asked.append(name, value)
  }
  return `/api/v1${filled}${asked.size > 0 ? `?${asked}` : ''}`
}

function requestOf(call: Call, typed: Record<string, string>, key: string): RequestInit {
  const sub_tenant = typed.sub_tenant?.trim()
  const body = call.body ? typed.body?.trim() || '{}' : undefined
  return {
    method: call.method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(sub_tenant && { 'x-sub-tenant-id': sub_tenant }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body }),
  }
}

async function outcomeOf(answer: Response): Promise<Outcome> {
  const text = await answer.text()
  const headers = [...answer.headers].filter(([name]) =>
    /^(ratelimit-|retry-after$|content-type$)/.test(name),
  )
  return { status: answer.status, headers, text: shorten(pretty(text)) }
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

const shorten = (text: string): string =>
  text.length > LONGEST_ANSWER ? `${text.slice(0, LONGEST_ANSWER)}\n… (shortened)` : text
