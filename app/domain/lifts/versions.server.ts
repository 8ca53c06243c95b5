/** What a lift said when it was sent. */

import { writeWhatLiftAsks } from '../occurrences/facts.server.ts'
import { findOccurrencesOfLifts } from '../occurrences/occurrences.server.ts'
import { lockDispatches } from '../occurrences/settled.server.ts'
import type { Scope } from '../scope.server.ts'
import { type Lift, LiftContent } from './lift.ts'

/** Keeps the lift as it is now, for those whose message has not left yet. */
export async function keepVersion({ actor, db }: Scope, lift: Lift): Promise<void> {
  await db
    .insertInto('lift_versions')
    .values({
      tenant_id: actor.tenant_id,
      lift_id: lift.id,
      version: lift.version,
      content: JSON.stringify(LiftContent.parse(lift)),
    })
    .onConflict((clash) => clash.columns(['tenant_id', 'lift_id', 'version']).doNothing())
    .execute()
  await lockDispatches({ db }, await findOccurrencesOfLifts({ db }, [lift.id]))
  await db
    .updateTable('occurrences as o')
    .set({ content_version: lift.version })
    .where('o.lift_id', '=', lift.id)
    .where('o.state', 'in', ['planned', 'held', 'due'])
    .where('o.opened_at', 'is', null)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('dispatches as d')
            .select('d.id')
            .whereRef('d.occurrence_id', '=', 'o.id')
            .where('d.sent_at', 'is not', null),
        ),
      ),
    )
    .execute()
  await writeWhatLiftAsks({ db }, lift.id)
}

export async function getVersion({ db }: Scope, liftId: number, version: number): Promise<LiftContent> {
  const row = await db
    .selectFrom('lift_versions')
    .select('content')
    .where('lift_id', '=', liftId)
    .where('version', '=', version)
    .executeTakeFirstOrThrow()
  return LiftContent.parse(row.content)
}
