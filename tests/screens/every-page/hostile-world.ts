/** Makes every call that takes a body, with hostile text in each text field of its schema. */

import { type Ids, POLICY } from '#tests/api/isolation/matrix-policy.ts'
import { callBodies } from '#tests/api/isolation/matrix-router.ts'
import { MARKUP, MARKUP_ADDRESS } from '#tests/attacks/hostile-text.ts'

// biome-ignore lint/suspicious/noExplicitAny: a JSON schema, and what it allows
type Any = any
export type Call = (method: string, path: string, body: unknown) => Promise<{ status: number; json: Any }>

let made = 0
/** A value of the schema with hostile text in every free text; undefined if only particular values are allowed. */
export function hostile(schema: Any, src: string): Any {
  if (schema.anyOf || schema.oneOf) {
    const ways = (schema.anyOf ?? schema.oneOf).map((one: Any) => hostile(one, src))
    return ways.find((one: Any) => one !== undefined && one !== null)
  }
  if (schema.enum) return schema.enum[0]
  const type = [schema.type].flat()[0]
  if (type === 'string') return textFor(schema, src)
  if (type === 'boolean') return false
  if (type === 'integer' || type === 'number') return Math.max(1, schema.minimum ?? 1)
  if (type === 'array') return listFor(schema, src)
  if (type !== 'object') return undefined
  const entries = Object.entries(schema.properties ?? {}).map(
    ([name, one]) => [name, hostile(one, src)] as const,
  )
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

function textFor({ format, pattern, maxLength = 1000 }: Any, src: string): string | undefined {
  if (format === 'uri') return MARKUP_ADDRESS
  if (format === 'email') return `hostile-${++made}@people.example`
  if (format) return undefined
  const fits = (text: string) =>
    text.length <= maxLength && (!pattern || new RegExp(pattern.replace(/\/u$/, ''), 'u').test(text))
  return [...MARKUP, src].find(fits)
}

/** A list with one value of each kind. */
function listFor({ items = {}, maxItems = 100 }: Any, src: string): Any[] | undefined {
  const kinds = (items.oneOf ?? items.anyOf ?? [items]).map((one: Any) => hostile(one, src))
  const some = kinds.filter((one: Any) => one !== undefined).slice(0, maxItems)
  return some.length > 0 ? some : undefined
}

const hasText = (value: unknown): boolean => JSON.stringify(value)?.includes('<svg') ?? false

/** Fills in the policy's valid values, and removes what is refused; returns the fields that were written. */
export async function writeEverywhere(
  call: Call,
  ids: Partial<Ids>,
  src: string,
  only: RegExp,
): Promise<string[]> {
  const written: string[] = []
  for (const { name, schema } of await callBodies()) {
    const row = POLICY[name]
    if (!row || !only.test(name) || !schema) continue
    const known: Record<string, unknown> =
      typeof row.body === 'function' ? row.body(ids as Ids) : { ...row.body }
    const [method = '', path = ''] = name.split(' ')
    const filled = path
      .replace('{subId}', ids.sub_tenant ?? '')
      .replace('{userId}', ids.user ?? '')
      .replace(/\{\w+\}/, ids[row.kind as keyof Ids] ?? '')
    const texts = Object.entries(hostile(schema, src) ?? {}).filter(([, value]) => hasText(value))
    const { lock_version: _, ...base } = known
    const took = await sendWhatIsTaken(
      (body) => call(method, filled, body),
      base,
      Object.fromEntries(texts),
      known,
    )
    written.push(...took.map((field) => `${name} ${field}`))
  }
  return written
}

type Answer = { status: number; json: Any }

async function sendWhatIsTaken(
  send: (body: unknown) => Promise<Answer>,
  base: Record<string, unknown>,
  texts: Record<string, unknown>,
  known: Record<string, unknown>,
): Promise<string[]> {
  const left = { ...texts }
  const rest = { ...base }
  for (let tries = 0; tries < 15 && Object.keys(left).length > 0; tries++) {
    const answer = await send({ ...rest, ...left })
    if (answer.status < 300) return Object.keys(left)
    if (!giveWay(answer, left, rest, known)) return []
  }
  return []
}

/** Whether a retry makes sense: with the stored version, other names, or without the refused fields. */
function giveWay({ status, json }: Answer, left: Any, rest: Any, known: Any): boolean {
  const { detail, current } = json ?? {}
  if (current?.lock_version !== undefined) {
    rest.lock_version = current.lock_version
    return true
  }
  if (typeof detail !== 'object') return false
  const fields = Object.keys(detail)
  return [...new Set(fields.map((field) => field.split('.')[0] ?? ''))].every((field) => {
    if (field === 'lock_version') rest.lock_version = known.lock_version ?? 0
    else if (status === 409) renew(field, left, rest)
    else if (field in left) takeBack(left, field, fields)
    else return false
    return true
  })
}

/** Replaces a value that has to be unique. */
function renew(field: string, left: Any, rest: Any): void {
  if (field in left) left[field] = `${++made}${MARKUP[2]}`
  else if (field === 'email') rest.email = `hostile-${++made}@people.example`
}

/** Removes only the wrong items of a list. */
function takeBack(left: Record<string, unknown>, field: string, wrong: readonly string[]): void {
  const list = left[field]
  const places = new Set(
    wrong.flatMap((one) => (one.startsWith(`${field}.`) ? [Number(one.split('.')[1])] : [])),
  )
  const rest = Array.isArray(list) && places.size > 0 ? list.filter((_, index) => !places.has(index)) : []
  if (rest.length > 0 && hasText(rest)) left[field] = rest
  else delete left[field]
}
