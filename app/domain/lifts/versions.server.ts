/** Versions of lifts: the content as it was sent. */
import { sql } from 'kysely'
import { writeWhatLiftAsks } from '../occurrences/facts.server.ts'
import { occurrences } from '../occurrences/occurrences.server.ts'
import { lockDispatches } from '../occurrences/settled.server.ts'
import type { Scope } from '../scope/scope.server.ts'
import { type Lift, LiftContent } from './lift.ts'

/** Stores the current version of the lift, and assigns it to occurrences whose message has not left yet. */
export async function keepVersion({ actor, db }: Scope, lift: Lift): Promise<void> {
  const kept = await db
    .insertInto('lift_versions')
    .values({
      tenant_id: actor.tenant_id,
      lift_id: lift.id,
      version: lift.version,
      content: JSON.stringify(LiftContent.parse(lift)),
    })
    .onConflict((clash) => clash.columns(['tenant_id', 'lift_id', 'version']).doNothing())
    .returning('version')
    .execute()
  const ids = await listOfOther({ db }, lift)
  if (ids.length + kept.length === 0) return
  await lockDispatches({ db }, ids)
  await sql`update occurrences set content_version = ${lift.version} where id = any(array(
    select o.id from ${occurrences(ids)} where ${IS_TO_COME}
      and not exists (select from dispatches d where d.tenant_id = o.tenant_id and d.occurrence_id = o.id
        and d.sent_at is not null)))`.execute(db)
  await writeWhatLiftAsks({ db }, lift.id)
}

const IS_TO_COME = sql<boolean>`o.state in ('planned', 'held', 'due') and o.opened_at is null`

/** Unsent occurrences with another version. Others are left alone, however many there are. */
async function listOfOther({ db }: Pick<Scope, 'db'>, { id, version }: Lift): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select o.id from occurrences o where o.lift_id = ${id} and o.content_version <> ${version} and ${IS_TO_COME}
      and not exists (select from dispatches d where d.tenant_id = o.tenant_id and d.occurrence_id = o.id
        and d.sent_at is not null and d.state <> 'sending')
    order by o.id`.execute(db)
  return rows.map((row) => row.id)
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
