/**
 * Manual reminders for people who have not answered: each at most once a day per lift, within the allowed hours of
 * any reminder.
 */
import { sql } from 'kysely'
import { Temporal } from 'temporal-polyfill'
import { record } from '../audit/audit.server.ts'
import { Refusal } from '../errors.ts'
import { nextAllowed, sameTimeLater } from '../hours/next-allowed.ts'
import { readClockAndHours } from '../journeys/clock-and-hours.server.ts'
import { isRunning } from '../journeys/journey-status.ts'
import { requireEditable } from '../journeys/journeys.server.ts'
import { getLift } from '../lifts/lifts.server.ts'
import { MAY_ARRIVE } from '../occurrences/resend.server.ts'
import { type Learner, listLearners } from '../planning/learners.server.ts'
import { wakeSender } from '../planning/plan.server.ts'
import { takeTurns } from '../scope/advisory-lock.server.ts'
import { nowIn, todayIn } from '../scope/clock.server.ts'
import type { Scope } from '../scope/scope.server.ts'
import { BY_HAND_FROM } from './reminders.server.ts'
import type { Reminded, ReminderForesight } from './reminding.ts'

/** Manual reminders are numbered by the day in their recipient's zone. */
const numberOf = (scope: Pick<Scope, 'db'>, zone: string): number =>
  Temporal.PlainDate.from('1970-01-01').until(todayIn(scope, zone)).days * BY_HAND_FROM
const AT_ONCE = 1000

/** Delivery states of messages that did not get through, as in analytics. */
const HINDERED = ['unknown', 'suppressed', 'failed', 'expired'] as const
type Unsent = 'not_sent' | (typeof HINDERED)[number]
type Fate = 'now' | 'morning' | 'tomorrow' | 'reminded' | 'closed' | Unsent
type Candidate = { learner: Learner; occurrence_id: number; seq: number; fate: Fate }

export async function foreseeReminders(scope: Scope, liftId: number): Promise<ReminderForesight> {
  const { candidates } = await listCandidates(scope, liftId)
  const many = (fate: Fate) => candidates.filter((one) => one.fate === fate).length
  const unsent = {
    ...{ not_sent: many('not_sent'), unknown: many('unknown'), suppressed: many('suppressed') },
    ...{ failed: many('failed'), expired: many('expired') },
  }
  return {
    people: Object.values(unsent).reduce((left, people) => left - people, candidates.length),
    ...{ now: many('now'), morning: many('morning'), tomorrow: many('tomorrow') },
    ...{ reminded: many('reminded'), closed: many('closed') },
    ...unsent,
  }
}

/** Repeated on the same day, it reminds only people who were not reminded yet. */
export async function remindUnanswered(scope: Scope, liftId: number): Promise<Reminded> {
  await takeTurns(scope, `remind of ${liftId}`)
  const { candidates, dueAt } = await listCandidates(scope, liftId)
  const leaving = candidates.filter(({ fate }) => fate === 'now' || fate === 'morning' || fate === 'tomorrow')
  const { tenant_id } = scope.actor
  for (let start = 0; start < leaving.length; start += AT_ONCE)
    await scope.db
      .insertInto('dispatches')
      .values(
        leaving.slice(start, start + AT_ONCE).map((one) => {
          const [{ occurrence_id, seq, learner }, due_at] = [one, dueAt(one)]
          return {
            ...{ tenant_id, occurrence_id, kind: 'reminder', seq },
            ...{ channel: learner.channel, due_at, next_attempt_at: due_at },
          }
        }),
      )
      .onConflict((clash) => clash.doNothing())
      .execute()
  const now = leaving.filter(({ fate }) => fate === 'now').length
  await wakeSender(scope)
  await record(scope, 'lift.reminded', { type: 'lift', id: liftId }, { planned: leaving.length })
  return { planned: leaving.length, now, later: leaving.length - now }
}

type Row = {
  member_id: number
  id: number
  seq: number
  state: string
  delivery: string
  closes_at: Date | null
  was_reminded: boolean
  had_one_today: boolean
}

/** `dueAt`: the due time of a reminder that will be sent. */
async function listCandidates(
  scope: Scope,
  liftId: number,
): Promise<{ candidates: Candidate[]; dueAt(leaving: Candidate): Date }> {
  const { journey_id } = await getLift(scope, liftId)
  const journey = await requireEditable(scope, journey_id)
  if (!isRunning(journey.status))
    throw new Refusal(409, 'You can remind learners while their journey is running.')
  const clock = await readClockAndHours(scope, journey_id)
  const learners = new Map((await listLearners(scope, journey)).map((one) => [one.id, one]))
  const zones = [...learners.values()].map((one) => one.zone ?? clock.tenant_zone)
  const rows = await readOccurrences(scope, liftId, [...learners.keys()], zones)
  const at = nowIn(scope)
  const whoIs = ({ zone, id }: Learner) => ({ ...clock, zone, member_id: id, send_days: [] })
  // Quiet hours are the same for everybody in a zone.
  const resting = new Map<string | null, boolean>()
  const rests = (learner: Learner) => {
    const known = resting.get(learner.zone) ?? nextAllowed(at, whoIs(learner)) > at
    resting.set(learner.zone, known)
    return known && learner.channel !== 'in_app'
  }
  const dueAt = ({ learner, fate }: Candidate) =>
    fate === 'tomorrow'
      ? sameTimeLater(at, at, whoIs(learner))
      : fate === 'morning'
        ? nextAllowed(at, whoIs(learner))
        : at
  // Computed once per zone: people in it differ by minutes only.
  const dues = new Map<string, Date>()
  const dueOf = (found: Candidate) => {
    const key = `${found.fate} ${found.learner.zone}`
    const known = dues.get(key) ?? dueAt(found)
    dues.set(key, known)
    return known
  }
  const candidates = rows.flatMap((row) => {
    const learner = learners.get(row.member_id)
    const fate = learner && fateOf(row, rests(learner))
    if (!fate) return []
    const found = { learner, occurrence_id: row.id, seq: row.seq, fate }
    const closesFirst = row.closes_at !== null && row.closes_at <= dueOf(found)
    return [closesFirst ? { ...found, fate: 'closed' as const } : found]
  })
  return { candidates, dueAt }
}

/** Null: the learner has answered. */
function fateOf({ state, delivery, was_reminded, had_one_today }: Row, rests: boolean): Fate | null {
  if (state === 'responded' || state === 'completed') return null
  if (state === 'expired' || state === 'cancelled') return 'closed'
  if (state !== 'sent' && state !== 'opened') return HINDERED.find((one) => one === delivery) ?? 'not_sent'
  if (was_reminded) return 'reminded'
  if (had_one_today) return 'tomorrow'
  return rests ? 'morning' : 'now'
}

/** `was_reminded`: manually, of this lift; `had_one_today`: of any lift, as senders check again. */
async function readOccurrences(
  { db }: Scope,
  liftId: number,
  ids: readonly number[],
  zones: readonly string[],
) {
  const numbers = new Map([...new Set(zones)].map((zone) => [zone, numberOf({ db }, zone)]))
  const seqs = zones.map((zone) => numbers.get(zone))
  const { rows } = await sql<Row>`
    select o.member_id, o.id, learner.seq, o.state, o.closes_at,
      coalesce((select f.delivery from fact_occurrence f
        where f.tenant_id = o.tenant_id and f.occurrence_id = o.id), 'pending') as delivery,
      exists (select from dispatches d where d.tenant_id = o.tenant_id and d.occurrence_id = o.id
        and d.kind = 'reminder' and d.seq = learner.seq) as was_reminded,
      exists (select from members other
        join occurrences oo on oo.tenant_id = other.tenant_id and oo.member_id = other.id
          and oo.state not in ('planned', 'cancelled')
        join dispatches d on d.tenant_id = oo.tenant_id and d.occurrence_id = oo.id
        where other.user_id = m.user_id and other.role = 'learner' and d.kind = 'reminder'
          and ${MAY_ARRIVE}
          and (d.sent_at at time zone learner.zone)::date = (scope_now() at time zone learner.zone)::date)
      or exists (select from commitments c join members other on other.tenant_id = c.tenant_id and other.id = c.member_id
        where other.user_id = m.user_id and c.messaged_on = (scope_now() at time zone learner.zone)::date) as had_one_today
    from unnest(${ids}::bigint[], ${zones}::text[], ${seqs}::int[]) as learner (id, zone, seq)
      join members m on m.id = learner.id
      join occurrences o on o.tenant_id = m.tenant_id and o.member_id = m.id and o.lift_id = ${liftId}
    where o.state <> 'cancelled' order by o.id`.execute(db)
  return rows
}
