/** Files that no lift shows: never used, or of lifts and journeys that are gone. */
import { sql } from 'kysely'
import { addJob } from '#app/db/queue.server.ts'
import type { Scope } from '../scope.server.ts'
import { storeKey } from './store.ts'

/** Where its bytes stand outside the database, they go once this transaction has committed. */
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
