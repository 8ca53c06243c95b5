/** Makes a call to another server as one visitor. */
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

/** Without an id in its path, a 404 means that the server does not offer the call; with one, that the item does not exist. */
export async function askWithoutId(who: Credentials, asking: Asking): Promise<unknown> {
  try {
    return await askAs(who, asking)
  } catch (error) {
    throw error instanceof Response && error.status === 404 ? notOffered() : error
  }
}

/** `me` is the visitor's current tenant: section 7 has the word for one call only. */
export const tenantIn = ({ ids }: Made, who: Credentials): string =>
  ids.id === 'me' ? (who.place_id ?? who.tenant_id) : String(ids.id)

/** Section 7 does not define the answer to a create or update: the sent body stands for it, without the logo. */
export function sentOf(made: Made): Readonly<Record<string, unknown>> {
  const { logo: _, ...sent } = bodyOf(made)
  return sent
}

export const bodyOf = ({ body }: Made): Readonly<Record<string, unknown>> =>
  (body ?? {}) as Record<string, unknown>
