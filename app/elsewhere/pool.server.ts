/** Reads which way to sign in another server names for an e-mail address. */
import { first, id, text, thing } from './read.server.ts'

export type NamedPool = { pool: string; client: string | null; tenant_id: string | null }

export function readPool(sent: unknown): NamedPool | null {
  const told = thing(sent)
  const said = thing(told.data ?? told)
  const pool = text(first(said, 'userPoolId', 'user_pool_id', 'pool_id'))
  const client = text(first(said, 'userPoolWebClientId', 'user_pool_web_client_id', 'client_id'))
  if (pool === null) return null
  return { pool, client, tenant_id: id(first(said, 'tenantId', 'tenant_id')) }
}
