/** Learners who have not had a lift yet, or whom it failed to reach: the recipients of `sendNow`. */
import { sql } from 'kysely'
import { nextAllowed } from '../hours/next-allowed.ts'
import { readClockAndHours } from '../journeys/clock-and-hours.server.ts'
import { requireEditable } from '../journeys/journeys.server.ts'
import { getLift } from '../lifts/lifts.server.ts'
import { unmailedIn } from '../mail-stops/asking.server.ts'
import { HAS_FAILED } from '../occurrences/resend.server.ts'
import { IS_SETTLED } from '../occurrences/settled.server.ts'
import { type Learner, listLearners } from '../planning/learners.server.ts'
import { nowIn } from '../scope/clock.server.ts'
import type { Scope } from '../scope/scope.server.ts'
import type { StillToSend, StillToSendQuery } from './send-now-recipients.ts'

const MAX_SHOWN = 100

export async function listStillToSend(
  scope: Scope,
  liftId: number,
  { q, member_ids: chosen = [] }: StillToSendQuery,
): Promise<StillToSend> {
  const { journey_id } = await getLift(scope, liftId)
  const journey = await requireEditable(scope, journey_id)
  const occurrences = await occurrencesOf(scope, liftId)
  const learners = await listLearners(scope, journey)
  const hasFailed = ({ id }: Learner) => occurrences.get(id)?.has_failed === true
  const waiting = learners.filter((one) => occurrences.get(one.id)?.is_settled !== true || hasFailed(one))
  const isHeld = ({ id }: Learner) => occurrences.get(id)?.state === 'held'
  const words = q.toLowerCase()
  const matching = waiting.filter(({ name, email }) => `${name} ${email}`.toLowerCase().includes(words))
  const own = new Set(chosen)
  const isOf = ({ id }: Learner) => own.has(id)
  const shown = [...firstByName(waiting.filter(isOf)), ...firstByName(matching.filter((one) => !isOf(one)))]
  const by = (channel: Learner['channel']) => waiting.filter((one) => one.channel === channel)
  const unmailed = await unmailedIn(scope, journey_id)
  return {
    data: shown.slice(0, MAX_SHOWN).map((one) => ({
      member_id: one.id,
      name: one.name,
      email: one.email,
      channel: one.channel,
      is_held: isHeld(one),
      has_failed: hasFailed(one),
    })),
    total: matching.length,
    people: waiting.length,
    held: waiting.filter(isHeld).length,
    restored: waiting.filter(({ id }) => occurrences.get(id)?.is_restored === true).length,
    failed: waiting.filter(hasFailed).length,
    by_channel: { sms: by('sms').length, email: by('email').length, in_app: by('in_app').length },
    resting: await countResting(scope, journey.id, by('sms')),
    unmailed: by('email').filter(({ user_id }) => unmailed.has(user_id)).length,
  }
}

const { compare } = new Intl.Collator()
const byName = (one: Learner, other: Learner) => compare(one.name, other.name) || one.id - other.id

/** The first by name, as many as are shown: most of a hundred thousand are only compared with the last of these. */
function firstByName(people: readonly Learner[]): Learner[] {
  let first: Learner[] = []
  let last: Learner | undefined
  for (const one of people) {
    if (last && byName(one, last) > 0) continue
    first.push(one)
    if (first.length < 2 * MAX_SHOWN) continue
    first = first.sort(byName).slice(0, MAX_SHOWN)
    last = first.at(-1)
  }
  return first.sort(byName).slice(0, MAX_SHOWN)
}

async function occurrencesOf({ db }: Scope, liftId: number) {
  type Row = Record<'is_settled' | 'has_failed' | 'is_restored', boolean> & {
    member_id: number
    state: string
  }
  const { rows } = await sql<Row>`
    select o.member_id, o.state, ${IS_SETTLED} as is_settled, ${HAS_FAILED} as has_failed,
      o.state = 'held' and exists (select from dispatches d where d.tenant_id = o.tenant_id
        and d.occurrence_id = o.id and d.error_code = 'restored') as is_restored
    from occurrences o where o.lift_id = ${liftId}`.execute(db)
  return new Map(rows.map((row) => [row.member_id, row]))
}

/** Quiet hours are checked once per zone. */
export async function countResting(
  scope: Scope,
  journeyId: number,
  learners: readonly Learner[],
): Promise<number> {
  if (learners.length === 0) return 0
  const { tenant_zone, settings } = await readClockAndHours(scope, journeyId)
  const now = nowIn(scope)
  let resting = 0
  for (const [zone, people] of Map.groupBy(learners, (one) => one.zone))
    if (nextAllowed(now, { zone, tenant_zone, settings, member_id: 0 }) > now) resting += people.length
  return resting
}
