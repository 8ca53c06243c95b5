/**
 * The past of the demo's journeys. The product's own code sends, opens and answers their messages, with the clock set
 * to each moment in turn.
 */
import type { Actor } from '#app/domain/access/actor.ts'
import { openLiftPage } from '#app/domain/lifts/pages.server.ts'
import { completeJourney, pauseJourney } from '#app/domain/running/lifecycle.server.ts'
import { respond } from '#app/domain/running/respond.server.ts'
import { atMoment } from '#app/domain/scope/clock.server.ts'
import type { Scope } from '#app/domain/scope/scope.server.ts'
import { beginSending } from '#app/domain/sending/begin-sending.server.ts'
import { recordAccepted, recordRefused } from '#app/domain/sending/receipts.server.ts'
import { seedAssessments } from './assessments.server.ts'
import { DAY, type DemoJourney, HOUR } from './curriculum.ts'

/** Nobody follows the links of past messages. */
const ORIGIN = 'http://localhost'
const OWNER = 'demo'
/** An open journey ends this long after its last lift. */
const DAYS_UNTIL_OVER = 15

export type Visit = { at: number; come(then: Scope): Promise<Visit[]> }

/** Runs everything that happened in a company until now, in order of time: what was planned, and what followed from it. */
export async function liveThrough(scope: Scope, visits: Visit[]): Promise<void> {
  for (;;) {
    visits.sort((one, other) => one.at - other.at)
    const message = await findNext(scope)
    const sending = message && {
      at: message.next_attempt_at.getTime(),
      come: (then: Scope) => send(then, message),
    }
    const [visit] = visits
    const isVisit = visit && !(sending && sending.at < visit.at)
    const next = isVisit ? visits.shift() : sending
    if (!next || next.at > Date.now()) return
    visits.push(...(await atMoment(scope, new Date(next.at), next.come)))
  }
}

/** How a journey ends, or is paused. */
export function endOf(journeyId: number, plan: DemoJourney, start: Date): Visit[] {
  const pause = async (then: Scope) => {
    await pauseJourney(then, journeyId)
    return []
  }
  const complete = async (then: Scope) => {
    await seedAssessments(then, journeyId)
    await completeJourney(then, journeyId)
    return []
  }
  const last = start.getTime() + (plan.lifts.length - 1) * plan.days_between * DAY
  if (plan.status === 'paused') return [{ at: start.getTime() + 4.4 * DAY, come: pause }]
  return plan.status === 'completed' ? [{ at: last + DAYS_UNTIL_OVER * DAY, come: complete }] : []
}

type LiftsAndMembers = { lifts: number[]; members: number[] }

async function readLiftsAndMembers({ db }: Scope, journeyId: number): Promise<LiftsAndMembers> {
  const of = (table: 'lifts' | 'members') => db.selectFrom(table).where('journey_id', '=', journeyId)
  const lifts = await of('lifts').select('id').orderBy('position').execute()
  const members = await of('members').select('id').where('role', '=', 'learner').orderBy('id').execute()
  return { lifts: lifts.map(({ id }) => id), members: members.map(({ id }) => id) }
}

const findNext = ({ db }: Scope) =>
  db
    .selectFrom('dispatches as d')
    .innerJoin('occurrences as o', 'o.id', 'd.occurrence_id')
    .innerJoin('members as m', 'm.id', 'o.member_id')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select(['d.id', 'd.kind', 'd.channel', 'd.next_attempt_at', 'o.journey_id', 'o.lift_id', 'o.member_id'])
    .select(['m.user_id', 'u.email'])
    .where('d.state', '=', 'planned')
    .orderBy('d.next_attempt_at')
    .orderBy('d.id')
    .limit(1)
    .executeTakeFirst()
type Next = NonNullable<Awaited<ReturnType<typeof findNext>>>

/** Sends like the sender, and returns the visits that this message leads to. */
async function send(then: Scope, message: Next): Promise<Visit[]> {
  const { id, kind, journey_id, lift_id, member_id, next_attempt_at } = message
  await then.db
    .updateTable('dispatches')
    .set({ state: 'claimed', lease_owner: OWNER, lease_until: next_attempt_at })
    .where('id', '=', id)
    .execute()
  const { messages } = await beginSending(then, [id], OWNER, { origin: ORIGIN })
  if (messages.size === 0) return []
  const { lifts, members } = await readLiftsAndMembers(then, journey_id)
  const fate = fateOf(lifts.indexOf(lift_id), members.indexOf(member_id))
  if (fate.failed && message.channel === 'email') {
    await recordRefused(then, id, { code: 'mailbox_full', retry_at: null })
    return []
  }
  await recordAccepted(then, { id, provider_id: `demo:${id}`, delivered: true })
  if (kind !== 'lift' || !fate.opened) return []
  const at = next_attempt_at.getTime() + fate.after
  const learner = learnerOf(then.actor, message)
  const come = async ({ db }: Scope) => {
    await visit({ actor: learner, db }, lift_id, fate)
    return []
  }
  return [{ at, come }]
}

const learnerOf = (actor: Actor, { user_id, email }: Next): Actor => ({
  ...actor,
  ...{ user_id, email, roles: ['user'], general_roles: [], is_super_admin: false },
})

async function visit(learner: Scope, liftId: number, { answered, option, promises }: Fate): Promise<void> {
  const page = await openLiftPage(learner, liftId)
  if (!answered || page.is_closed) return
  const day = new Date(Date.now() + 9 * DAY).toISOString().slice(0, 10)
  const promise = { what: 'ask each of my team one open question', by: day }
  const responses = page.prompts
    .filter(({ kind }) => kind !== 'commitment' || promises)
    .map(({ id, kind }) => ({ prompt_id: id, value: kind === 'commitment' ? promise : `option-${option}` }))
  await respond(learner, liftId, { responses, complete: true })
}

type Fate = {
  answered: boolean
  opened: boolean
  failed: boolean
  promises: boolean
  option: number
  after: number
}

/** Deterministic by lift and learner: most answer on the same day, some only read, few are not reached. */
function fateOf(lift: number, learner: number): Fate {
  const dice = (lift * 7 + learner * 3 + 1) % 10
  return {
    answered: dice < 6,
    opened: dice < 8,
    failed: dice === 9 && learner % 2 === 0,
    promises: learner % 3 === 0,
    option: (lift + learner) % 4 === 3 ? 2 : 1,
    after: HOUR * (0.2 + 0.5 * ((learner * 5 + lift * 3) % 17)),
  }
}
