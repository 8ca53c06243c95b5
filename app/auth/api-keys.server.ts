/** Reads an API key: it acts for the person who created it, with one role in one tenant or sub-tenant and nothing more. */
import { sql } from 'kysely'
import { couldMakeApiKey } from '#app/domain/access/api-keys.ts'
import { hashOfSecret } from '#app/domain/api-keys/api-keys.server.ts'
import { type Database, inScope, systemActor } from '#app/domain/scope/scope.server.ts'
import { type Principal, UnauthorizedError } from './principal.ts'

export type KeyInUse = { id: number; name: string; is_read_only: boolean; maker: Principal }
type Row = Principal & {
  key_id: number
  key_name: string
  key_role: 'admin' | 'author'
  is_read_only: boolean
  sub_tenant_id: string | null
  last_used_on: Date | null
}

const SEEN_EVERY_MS = 60_000

/** The same words for every refused key, so that nobody learns whether a key exists. */
export const KEY_REFUSED =
  'This API key does not work: it is mistyped, has expired or was revoked, or who created it is no longer an active administrator here.'

/** Throws an `UnauthorizedError` unless the key is valid and its creator could still create it now. */
export async function readApiKey(
  database: Database,
  secret: string,
): Promise<{ principal: Principal; key: KeyInUse }> {
  const hash = hashOfSecret(secret)
  const { rows } = await sql<Row>`select (f.maker).*, f.id as key_id, f.name as key_name, f.role as key_role,
    f.is_read_only, f.sub_tenant_id, f.last_used_on from find_api_key(${hash}) f`.execute(database)
  const [row] = rows
  if (!row)
    throw new UnauthorizedError('There is no such key, or it has expired or been revoked.', KEY_REFUSED)
  const { key_id, key_name, key_role, is_read_only, sub_tenant_id, last_used_on, ...maker } = row
  const { tenant_id } = maker
  if (!couldMakeApiKey(maker, { tenant_id, sub_tenant_id }))
    throw new UnauthorizedError('The administrator who created the key could not create it now.', KEY_REFUSED)
  await markUsed(database, { id: key_id, tenant_id, last_used_on })
  const roles = [{ role: key_role, tenant_id, sub_tenant_id }]
  const key = { id: key_id, name: key_name, is_read_only, maker }
  return { principal: { ...maker, is_super_admin: false, roles }, key }
}

type Used = { id: number; tenant_id: string; last_used_on: Date | null }

async function markUsed(database: Database, { id, tenant_id, last_used_on }: Used): Promise<void> {
  if (last_used_on && Date.now() - last_used_on.getTime() < SEEN_EVERY_MS) return
  await inScope(database, systemActor(tenant_id), ({ db }) =>
    db.updateTable('api_keys').set({ last_used_on: sql<Date>`now()` }).where('id', '=', id).execute(),
  )
}
