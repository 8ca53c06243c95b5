/** Translates each call for another server: as section 7 of the specification has it, or as that server may have it besides. */
import { z } from 'zod'

import { isOfGateway } from '#app/elsewhere/ask.server.ts'
import type { Id } from '#app/elsewhere/ids.server.ts'
import type { Call } from '../contract/call.ts'
import { notOffered } from '../not-offered.server.ts'
import type { Credentials, Made } from '../send.server.ts'
import { OF_COMPANIES } from './companies.server.ts'
import { once } from './once.server.ts'
import { OF_PEOPLE } from './people.server.ts'
import { OF_TENANTS } from './tenants.server.ts'
import { askAs, type Translated } from './translated.server.ts'

const TRANSLATED: ReadonlyMap<Call, Translated> = new Map([...OF_PEOPLE, ...OF_TENANTS, ...OF_COMPANIES])

export async function askElsewhere(made: Made, who: Credentials): Promise<unknown> {
  try {
    const translated = TRANSLATED.get(made.call)
    return await once(made, who, () => (translated ? translated(made, who) : askBeyond(made, who)))
  } catch (error) {
    if (error instanceof Response && error.status === 429)
      who.found?.set('retry_after', error.headers.get('retry-after') ?? undefined)
    throw error
  }
}

/** A call that is not in section 7: it is tried in our own form, in case the server has it. */
async function askBeyond(made: Made, who: Credentials): Promise<unknown> {
  const { call, ids, query, body } = made
  if (call.form || !(call.answers instanceof z.ZodType)) throw notOffered()
  const path = call.path
    .split('/')
    .slice(1)
    .map((part) => (part.startsWith('{') ? (ids[part.slice(1, -1)] as Id) : part))
  const asked = Object.fromEntries(Object.entries(query).map(([name, value]) => [name, flat(value)]))
  const answer = await askAs(who, { method: call.method, path, query: asked, body }).catch(missing)
  const { success, data } = call.answers.safeParse(answer)
  if (!success) throw notOffered()
  return data
}

const flat = (value: Made['query'][string]) =>
  Array.isArray(value) ? value.join(',') : value === '' ? null : (value as string | number | boolean | null)

function missing(error: unknown): never {
  if (!(error instanceof Response)) throw error
  throw [404, 405, 501].includes(error.status) || isOfGateway(error) ? notOffered() : error
}
