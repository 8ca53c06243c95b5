/** Files that no lift shows: never used, or left by deleted lifts and journeys. */
import { sql } from 'kysely'
import { addJob } from '#app/db/queue.server.ts'
import type { Scope } from '../scope/scope.server.ts'
import { storeKey } from './store.ts'

/** Bytes outside the database are removed by a job once this transaction has committed. */
export async function removeUnusedFile({ actor, db }: Scope, id: string): Promise<boolean> {
  const removed = await db
    .deleteFrom('files')
    .where('id', '=', id)
    .where(sql<boolean>`not exists (select from file_uses u where u.file_id = files.id)`)
    .returning('is_elsewhere')
    .executeTakeFirst()
  if (removed?.is_elsewhere)
    await addJob(
      db,
      'remove-stored-file',
      { key: storeKey(actor.tenant_id, id) },
      { key: `remove-file:${id}` },
    )
  return removed !== undefined
}

/** Which stored files still have a row. For a tenant unknown to this database, all count as known: the store may be shared. */
export async function whichAreKnown({ actor, db }: Scope, ids: readonly string[]): Promise<Set<string>> {
  const isOurs = await db
    .selectFrom('tenants')
    .select('id')
    .where('id', '=', actor.tenant_id)
    .executeTakeFirst()
  if (!isOurs) return new Set(ids)
  const { rows } = await sql<{ id: string }>`select id from files where id = any(${ids}::uuid[])`.execute(db)
  return new Set(rows.map(({ id }) => id))
}
