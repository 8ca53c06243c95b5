/** Updates the channels of planned messages after a person opted in to or out of text messages. */
import { sql } from 'kysely'
import type { Scope } from '../../scope/scope.server.ts'
import { listLearners } from '../learners.server.ts'
import { wakeSender } from '../plan.server.ts'
import { readPlannedJourney } from '../planned-journey.server.ts'

/** Everything on its way to the people with this number, before any of it is written; with `of`, to that message's number. */
export async function lockMessagesTo(
  { db }: Scope,
  { number, of = null }: { number?: string; of?: number | null },
) {
  await sql`select from dispatches where id = ${of}::bigint or id = any(array(
      select d.id from users u join members m on m.tenant_id = u.tenant_id and m.user_id = u.id
        join occurrences o on o.tenant_id = m.tenant_id and o.member_id = m.id
        join dispatches d on d.tenant_id = o.tenant_id and d.occurrence_id = o.id
      where u.mobile_phone = coalesce(${number ?? null}, (select address from dispatches where id = ${of}::bigint))
        and d.state in ('planned', 'claimed', 'sending', 'unknown')))
    order by occurrence_id, id for update`.execute(db)
}

/** From the next lift on, people with this number are reached on the right channel. */
export async function settleChannels(scope: Scope, number: string): Promise<void> {
  for (const [journeyId, memberIds] of await findLearners(scope, number)) {
    const journey = await readPlannedJourney(scope, journeyId)
    for (const { id, channel } of await listLearners(scope, journey, memberIds, { withDisabled: true }))
      await sql`
        update dispatches set channel = ${channel} where id = any(array(
          select d.id from occurrences o join dispatches d on d.tenant_id = o.tenant_id and d.occurrence_id = o.id
          where o.member_id = ${id}
            and d.kind = 'lift' and d.state = 'planned' and d.attempts = 0 and d.channel <> ${channel}
            and not exists (select from dispatches x where x.tenant_id = d.tenant_id
              and x.occurrence_id = d.occurrence_id and x.kind = d.kind and x.seq = d.seq and x.id <> d.id)
          order by d.occurrence_id, d.id for update of d))`.execute(scope.db)
  }
  await wakeSender(scope)
}

/** After an opt-out there are no reminders of texts already sent. */
export async function endReminders({ db }: Scope, number: string): Promise<void> {
  await sql`
    update dispatches set state = 'suppressed', error_code = 'stopped', lease_owner = null, lease_until = null
    where id = any(array(
      select d.id from users u join members m on m.tenant_id = u.tenant_id and m.user_id = u.id
        join occurrences o on o.tenant_id = m.tenant_id and o.member_id = m.id
        join dispatches d on d.tenant_id = o.tenant_id and d.occurrence_id = o.id
      where u.mobile_phone = ${number} and d.kind = 'reminder' and d.state in ('planned', 'claimed')
      order by o.id, d.id for update of d))`.execute(db)
}

async function findLearners({ db }: Scope, number: string): Promise<Map<number, number[]>> {
  const rows = await db
    .selectFrom('members as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .innerJoin('journeys as j', 'j.id', 'm.journey_id')
    .select(['m.id', 'j.id as journey_id'])
    .where('u.mobile_phone', '=', number)
    .where('m.role', '=', 'learner')
    .where('m.state', 'in', ['invited', 'active'])
    .where('j.status', 'in', ['scheduled', 'active', 'paused'])
    .orderBy('j.id')
    .orderBy('m.id')
    .execute()
  const found = new Map<number, number[]>()
  for (const { id, journey_id } of rows) found.set(journey_id, [...(found.get(journey_id) ?? []), id])
  return found
}
