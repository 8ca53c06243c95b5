/**
 * Simulates people who answer while the testing tenant's clock moves; those who have not accepted the terms do not.
 */
import { sql } from 'kysely'
import { changeCommitment } from '../lifts/commitments.server.ts'
import { openLiftPage } from '../lifts/pages.server.ts'
import { textQuestion } from '../lifts/text-question.ts'
import { getVersion } from '../lifts/versions.server.ts'
import { respond } from '../running/respond.server.ts'
import { nowIn } from '../scope/clock.server.ts'
import type { Scope } from '../scope/scope.server.ts'
import { receiveText } from '../text-answers/receive-text.server.ts'
import { findFormsToFill } from './answering-forms.server.ts'
import { type Answering, ClockMove } from './clock.ts'
import { asPerson, type Deed } from './deed.server.ts'
import { diceOf, type Fate, fateOf } from './fate.ts'
import { answerOf, replyOf } from './played-answers.ts'

const AT_ONCE = 500
const DAY = 86_400_000
/** The share of people able to reply by text who do so; the others open the link. */
const BY_TEXT = 0.6

export async function findDeeds(scope: Scope): Promise<Deed[]> {
  const { clock_move } = await scope.db
    .selectFrom('tenants')
    .select('clock_move')
    .where('id', '=', scope.actor.tenant_id)
    .executeTakeFirstOrThrow()
  const answering = ClockMove.nullable().parse(clock_move)?.answers ?? 'none'
  if (answering === 'none') return []
  return [
    ...(await findVisits(scope, answering)),
    ...(await findPromises(scope, answering)),
    ...(await findFormsToFill(scope, answering)),
  ]
}

type Answerable = Awaited<ReturnType<typeof listAnswerable>>[number]

/** Each message is a separate chance: some who ignored a lift answer its reminder. */
async function findVisits(scope: Scope, answering: Answering): Promise<Deed[]> {
  const now = nowIn(scope).getTime()
  return (await listAnswerable(scope)).flatMap((message) => {
    const { email, position, kind, seq, sent_at, opened_at } = message
    const fate = fateOf(`${email}:${kind}:${seq}:${position}`, answering)
    if (!fate.opens || sent_at.getTime() + fate.after_ms > now) return []
    return fate.answers || opened_at === null ? [(then: Scope) => visit(then, message, fate)] : []
  })
}

async function visit({ actor, db }: Scope, message: Answerable, fate: Fate): Promise<void> {
  const { lift_id, content_version, address, dispatch_id } = message
  const learner = { actor: asPerson(actor, message), db }
  const content = await getVersion({ actor, db }, lift_id, content_version)
  const question = message.channel === 'sms' ? textQuestion(content) : null
  if (fate.answers && question && address && diceOf(`${message.email}:${message.position}:by`) < BY_TEXT) {
    const text = replyOf(question, fate.dice)
    await receiveText({ actor, db }, { from: address, text, key: playedKey(dispatch_id) })
    return
  }
  const page = await openLiftPage(learner, lift_id)
  if (!fate.answers || page.is_closed) return
  const day = new Date(nowIn(learner).getTime() + 9 * DAY).toISOString().slice(0, 10)
  const responses = content.prompts
    .filter(({ required }) => required || fate.dice < 0.5)
    .map((prompt) => ({ prompt_id: prompt.id, value: answerOf(prompt, fate.dice, day) }))
  await respond(learner, lift_id, { responses, complete: true })
}

const playedKey = (dispatch: number): string => `played:${dispatch}`

const listAnswerable = ({ db }: Scope) =>
  db
    .selectFrom('dispatches as d')
    .innerJoin('occurrences as o', 'o.id', 'd.occurrence_id')
    .innerJoin('lifts as l', 'l.id', 'o.lift_id')
    .innerJoin('members as m', 'm.id', 'o.member_id')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select(['d.id as dispatch_id', 'd.kind', 'd.seq', 'd.channel', 'd.address'])
    .select(['o.lift_id', 'o.content_version', 'o.opened_at', 'l.position', 'm.user_id'])
    .select(sql<Date>`d.sent_at`.as('sent_at'))
    .select(sql<string>`u.email::text`.as('email'))
    .where('d.kind', 'in', ['lift', 'reminder', 'resend'])
    .where('d.state', 'in', ['accepted', 'delivered'])
    .where('d.sent_at', '>', sql<Date>`scope_now() - interval '26 hours'`)
    .where('o.state', 'not in', ['completed', 'cancelled', 'held', 'expired'])
    .where((is) => is.or([is('o.closes_at', 'is', null), is('o.closes_at', '>', sql<Date>`scope_now()`)]))
    .where('m.role', '=', 'learner')
    .where('m.state', '<>', 'withdrawn')
    .where('u.accepted_terms_on', 'is not', null)
    .where('u.activation_status', '<>', 'disabled')
    // Their reply may not have been a valid answer: they do not send it again.
    .where(sql<boolean>`not exists (select from inbound_texts t where t.key = 'played:' || d.id)`)
    .orderBy('d.sent_at')
    .orderBy('d.id')
    .limit(AT_ONCE)
    .execute()

/** Some people do what they committed to for today or earlier. */
async function findPromises({ db }: Scope, answering: Answering): Promise<Deed[]> {
  const { rows } = await sql<{ id: number; user_id: number; email: string; by_on: string }>`
    select c.id, m.user_id, u.email::text as email, c.by_on::text as by_on
    from commitments c join members m on m.id = c.member_id join users u on u.id = m.user_id
    where c.state = 'open' and c.by_on < (scope_now() - interval '10 hours')::date and m.state <> 'withdrawn'
      and u.activation_status <> 'disabled'
    order by c.by_on, c.id limit ${AT_ONCE}`.execute(db)
  return rows
    .filter(({ email, by_on }) => fateOf(`${email}:promise:${by_on}`, answering).answers)
    .map(
      (promise) => (then: Scope) =>
        changeCommitment({ ...then, actor: asPerson(then.actor, promise) }, promise.id, { state: 'done' }),
    )
}
