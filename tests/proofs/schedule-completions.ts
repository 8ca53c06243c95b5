/**
 * A lift due on the day the previous one is completed, completed at every hour of the day in every zone: it keeps to
 * one lift a day and the quiet hours, even if its time has passed. In the planner, and in the database for real
 * people.
 */
import { sql } from 'kysely'
import { Temporal } from 'temporal-polyfill'
import { WEEKDAYS } from '#app/domain/hours/wall-time.ts'
import { planFollowers } from '#app/domain/planning/dependents.server.ts'
import { planMember } from '#app/domain/planning/participant-plan.ts'
import { clockOf } from './clock.ts'
import { openEverywhere, ZONES } from './people-everywhere.ts'

const QUIET = { from: '20:00', to: '09:00' }
const HOURS = Array.from({ length: 24 }, (_, hour) => hour)
const FOLLOWS = { kind: 'offset', from: 'previous_lift_completed', days: 0 } as const
const SEND_DAYS = [WEEKDAYS, ['Mon', 'Wed', 'Fri']]

export type Completions = { cases: number; written: number; failures: string[] }

export async function proveCompletions(): Promise<Completions> {
  const failures = ZONES.flatMap((zone, nth) => HOURS.flatMap((hour) => followPlanned(zone, hour, nth)))
  const written = await followWritten()
  return {
    cases: ZONES.length * HOURS.length,
    written: written.people,
    failures: [...failures, ...written.failures],
  }
}

/** Three lifts in a row, each completed at this hour of the day on which it came, or of the next day. */
function followPlanned(zone: string, hour: number, nth: number): string[] {
  const send_days = SEND_DAYS[(nth + hour) % SEND_DAYS.length] ?? WEEKDAYS
  const journey = {
    start_on: '2026-03-02',
    launched_at: new Date('2026-03-02T00:00:00Z'),
    ...{ launched_now: false, timezone_mode: 'recipient' as const },
    ...{ timezone: zone, default_send_time: '09:00', send_days },
  }
  const taken: string[] = []
  let due = Temporal.ZonedDateTime.from(`2026-03-09T10:00[${zone}]`)
  let faults: string[] = []
  for (const id of [2, 3, 4]) {
    taken.push(due.toPlainDate().toString())
    const completed_at = atHour(due, hour)
    const now = new Date(completed_at.epochMilliseconds)
    const [occurrence] = planMember({
      ...{ journey, now, taken, tenant_zone: zone, channel: 'email', past: 'one_a_day', at_once: false },
      lifts: [{ id, position: id, schedule: FOLLOWS, closes_after_hours: null }],
      member: { id: nth, zone, joined_at: journey.launched_at },
      completed: new Map([[id - 1, now]]),
      previous: new Map([[id, id - 1]]),
    })
    if (!occurrence?.plan.due_at) return [`${zone}, ${hour}:00: lift ${id} never comes`]
    const wrong = faultsAt(occurrence.plan.due_at, { zone, send_days, taken, after: now })
    faults = [...faults, ...wrong.map((what) => `${zone}, completed at ${hour}:00: lift ${id} comes ${what}`)]
    due = Temporal.Instant.fromEpochMilliseconds(occurrence.plan.due_at.getTime()).toZonedDateTimeISO(zone)
  }
  return faults
}

const atHour = (due: Temporal.ZonedDateTime, hour: number): Temporal.ZonedDateTime => {
  const same = due.withPlainTime({ hour, minute: 30 })
  return Temporal.ZonedDateTime.compare(same, due) > 0 ? same : same.add({ days: 1 })
}

type Around = { zone: string; send_days: readonly string[]; taken: readonly string[]; after: Date }

function faultsAt(due: Date, { zone, send_days, taken, after }: Around): string[] {
  const { day, time, weekday } = clockOf(zone, due)
  return [
    ...(due < after ? ['before that'] : []),
    ...(time >= QUIET.from || time < QUIET.to ? [`at ${time}`] : []),
    ...(send_days.includes(weekday) ? [] : [`on a ${weekday}`]),
    ...(taken.includes(day) ? [`as a second lift on ${day}`] : []),
  ]
}

/** Each person completes the first lift at a different hour, and the next one as soon as it comes. */
async function followWritten(): Promise<{ people: number; failures: string[] }> {
  const { inAcme, must, plan, people, close } = await openEverywhere()
  try {
    const { id } = await must('POST', '/lljs', { name: 'Followed', category: 'Sales' })
    const first = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10)
    for (const schedule of [{ kind: 'absolute', date: first, time: '10:00' }, FOLLOWS, FOLLOWS])
      await must('POST', `/lljs/${id}/lifts`, {
        ...{ title: 'Lift', status: 'ready', schedule },
        blocks: [{ kind: 'text', markdown: 'Text.' }],
      })
    await must('POST', `/lljs/${id}/members`, { user_ids: people.map((one) => one.id) })
    await must('POST', `/lljs/${id}/launch`, {})
    await plan()
    const members = await inAcme(async ({ db }) => {
      const { rows } = await sql<{ id: number; zone: string }>`
        select m.id, u.timezone as zone from members m join users u on u.id = m.user_id
        where m.journey_id = ${id} and m.role = 'learner' order by m.id`.execute(db)
      return rows
    })
    const complete = (member: number, position: number, at: Date) =>
      inAcme(async (scope) => {
        const { rows } = await sql<{ lift_id: number }>`
          update occurrences o set state = 'completed', opened_at = ${at}, completed_at = ${at} from lifts l
          where l.id = o.lift_id and o.member_id = ${member} and l.position = ${position} returning o.lift_id`.execute(
          scope.db,
        )
        const lift_id = rows[0]?.lift_id ?? 0
        await planFollowers(scope, { journey_id: id, lift_id, member_id: member }, at)
      })
    const dueOf = (member: number, position: number) =>
      inAcme(async ({ db }) => {
        const { rows } = await sql<{ due_at: Date; leaving: Date }>`
          select o.due_at, d.next_attempt_at as leaving from occurrences o join lifts l on l.id = o.lift_id
            join dispatches d on d.occurrence_id = o.id
          where o.member_id = ${member} and l.position = ${position}`.execute(db)
        return rows[0]
      })
    const failures: string[] = []
    for (const [nth, { id: member, zone }] of members.entries()) {
      const taken = [first]
      const due = Temporal.ZonedDateTime.from(`${first}T10:00[${zone}]`)
      let at = new Date(atHour(due, nth % 24).epochMilliseconds)
      for (const position of [2, 3]) {
        await complete(member, position - 1, at)
        const occurrence = await dueOf(member, position)
        const wrong = occurrence
          ? [
              ...faultsAt(occurrence.due_at, { zone, send_days: WEEKDAYS, taken, after: at }),
              ...(occurrence.leaving.getTime() === occurrence.due_at.getTime()
                ? []
                : [`leaving at ${occurrence.leaving}`]),
            ]
          : ['never']
        failures.push(
          ...wrong.map((what) => `${zone}, completed at ${at.toISOString()}: lift ${position} ${what}`),
        )
        if (!occurrence) break
        taken.push(clockOf(zone, occurrence.due_at).day)
        at = new Date(occurrence.due_at.getTime() + 60_000)
      }
    }
    return { people: members.length, failures }
  } finally {
    await close()
  }
}
