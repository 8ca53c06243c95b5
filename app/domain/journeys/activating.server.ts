/** A journey begins by itself. */
import { sql } from 'kysely'
import type { Scope } from '../scope.server.ts'

/** A scheduled journey is active from its first due turn on. */
export async function activateDue({ db }: Scope, id: number): Promise<void> {
  await db
    .updateTable('journeys as j')
    .set({ status: 'active' })
    .where('j.id', '=', id)
    .where('j.status', '=', 'scheduled')
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('occurrences as o')
          .select('o.id')
          .whereRef('o.journey_id', '=', 'j.id')
          .where('o.due_at', '<=', sql<Date>`clock_timestamp()`),
      ),
    )
    .execute()
}
