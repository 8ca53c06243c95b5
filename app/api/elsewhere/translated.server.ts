/** How the calls of another server are made for one visitor. */
import { type Asking, askServer } from '#app/elsewhere/ask.server.ts'
import type { Call } from '../contract/call.ts'
import { notOffered } from '../not-offered.server.ts'
import type { Credentials, Made } from '../send.server.ts'

export type Translated = (made: Made, who: Credentials) => Promise<unknown>
export type Translations = readonly (readonly [Call, Translated])[]

export const askAs = (who: Credentials, asking: Asking): Promise<unknown> =>
  askServer(asking, {
    token: who.token,
    tenant_id: who.tenant_id,
    impersonate_tenant_id: who.impersonate_tenant_id,
    sub_tenant_id: who.sub_tenant_id,
    signal: who.signal,
  })

/** A list that is not there is none that the server has; a thing that is not there is no such thing. */
export async function askForList(who: Credentials, asking: Asking): Promise<unknown> {
  try {
    return await askAs(who, asking)
  } catch (error) {
    throw error instanceof Response && error.status === 404 ? notOffered() : error
  }
}

/** `me` is the tenant that the visitor is in: section 7 knows the word for one call only. */
export const tenantIn = ({ ids }: Made, who: Credentials): string =>
  ids.id === 'me' ? (who.place_id ?? who.tenant_id) : String(ids.id)

/** Section 7 shows no answer of what was made: what was sent stands for it, without its picture. */
export function sentOf(made: Made): Readonly<Record<string, unknown>> {
  const { logo: _, ...sent } = bodyOf(made)
  return sent
}

export const bodyOf = ({ body }: Made): Readonly<Record<string, unknown>> =>
  (body ?? {}) as Record<string, unknown>
