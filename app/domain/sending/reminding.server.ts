/**
 * Manual reminders for people who have not answered: each at most once a day per lift, within the allowed hours of
 * any reminder.
 */
import { sql } from 'kysely'
import { record } from '../audit/audit.server.ts'
import { Refusal } from '../errors.ts'
import { readClockAndHours } from '../journeys/clock-and-hours.server.ts'
import type { Journey } from '../journeys/journey.ts'
import { isRunning } from '../journeys/journey-status.ts'
import { requireEditable } from '../journeys/journeys.server.ts'
import { getLift } from '../lifts/lifts.server.ts'
import { type Fate, fatesIn } from '../planning/reminders/reminder-fates.server.ts'
import { selectUnanswered, type Unanswered } from '../planning/reminders/unanswered-learners.server.ts'
import { planForAll } from '../planning/runs/plan-runs.server.ts'
import { takeTurns } from '../scope/advisory-lock.server.ts'
import { nowIn } from '../scope/clock.server.ts'
import { type Scope, tenantWide } from '../scope/scope.server.ts'
import type { Reminded, ReminderForesight } from './reminding.ts'

export async function foreseeReminders(scope: Scope, liftId: number): Promise<ReminderForesight> {
  return foresee(scope, await requireRunning(scope, liftId), liftId)
}

/** Repeated on the same day, it reminds only people who were not reminded yet. */
export async function remindUnanswered(scope: Scope, liftId: number): Promise<Reminded> {
  await takeTurns(scope, `remind of ${liftId}`)
  const journey = await requireRunning(scope, liftId)
  const { now, morning, tomorrow } = await foresee(scope, journey, liftId)
  const [planned, later] = [now + morning + tomorrow, morning + tomorrow]
  const task = { kind: 'remind', liftIds: [liftId], moment: nowIn(scope) } as const
  if (planned > 0) await planForAll(scope, journey.id, task, { lifts: 1 })
  await record(scope, 'lift.reminded', { type: 'lift', id: liftId }, { planned })
  return { planned, now, later }
}

async function requireRunning(scope: Scope, liftId: number): Promise<Journey> {
  const { journey_id } = await getLift(scope, liftId)
  const journey = await requireEditable(scope, journey_id)
  if (!isRunning(journey.status))
    throw new Refusal(409, 'You can remind learners while their journey is running.')
  return journey
}

/** Of the whole tenant, as reminders are planned: a sub-tenant's journey has learners from others. */
const foresee = (scope: Scope, journey: Journey, liftId: number): Promise<ReminderForesight> =>
  tenantWide(scope, async (whole) => {
    const { fateOf } = await fatesIn(whole, journey)
    const by = noOnes()
    for (const group of await countUnanswered(whole, journey, liftId)) by[fateOf(group)] += group.people
    const { not_sent, unknown, suppressed, failed, expired, ...reached } = by
    const people = Object.values(reached).reduce((sum, some) => sum + some, 0)
    return { people, ...by }
  })

const noOnes = (): Record<Fate, number> => ({
  ...{ now: 0, morning: 0, tomorrow: 0, reminded: 0, closed: 0 },
  ...{ not_sent: 0, unknown: 0, suppressed: 0, failed: 0, expired: 0 },
})

type Group = Omit<Unanswered, 'member_id' | 'occurrence_id' | 'seq'> & { people: number }

/** In groups by what decides; of when a lift closes only the next days matter, to the minute. */
async function countUnanswered(scope: Scope, journey: Journey, liftId: number): Promise<Group[]> {
  const { tenant_zone } = await readClockAndHours(scope, journey.id)
  const unanswered = selectUnanswered(scope, { ...journey, tenant_zone }, liftId)
  const { rows } = await sql<Group>`
    select zone, is_texted, standing, count(*)::int as people, case when closes_at < (select scope_now()) + interval '3 days'
      then date_trunc('minute', closes_at) + interval '1 minute' end as closes_at
    from ${unanswered} unanswered group by zone, is_texted, standing, 5`.execute(scope.db)
  return rows
}
