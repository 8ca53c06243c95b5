/** Takes a reply to a lift's text as an answer to the latest open lift, or explains how to answer. */
import { sql } from 'kysely'
import { numberStates } from '../consent/consents.server.ts'
import { Refusal } from '../errors.ts'
import { readReply, type TextQuestion, textQuestion } from '../lifts/text-question.ts'
import { getVersion } from '../lifts/versions.server.ts'
import { respond } from '../running/respond.server.ts'
import { takeTurns } from '../scope/advisory-lock.server.ts'
import { nowIn } from '../scope/clock.server.ts'
import type { Scope } from '../scope/scope.server.ts'
import { mayStillWrite } from '../users/beside-erasure.server.ts'
import * as replies from './replies.ts'
import { isOpen, listTexted, type TextedLift } from './texted-lifts.server.ts'

export type TextAnswer = { reading: 'answer' | 'unclear'; reply: string }
type Reply = { from: string; text: string; tenant: string }

/** At most this many times a day we reply that a text was no answer, so that two machines do not reply to each other for ever. */
const MAX_UNCLEAR = 3

/** Null if this number was asked nothing by text, or may not be texted. */
export async function answerByText(scope: Scope, { from, text, tenant }: Reply): Promise<TextAnswer | null> {
  // Handles replies of a number one at a time, so that the second is for the next lift.
  await takeTurns(scope, `reply:${from}`)
  if ((await numberStates(scope, [from])).get(from) !== 'opted_in') return null
  const texted = await listTexted(scope, from)
  const [latest] = texted
  if (!latest) return null
  const [asked, ...others] = texted.filter((lift) => isOpen(lift, nowIn(scope)))
  if (!asked) {
    const say = latest.state === 'completed' ? replies.answeredAlready : replies.closed
    return unclear(scope, from, say(tenant, latest.title))
  }
  const question = await questionOf(scope, asked)
  if (!question) return unclear(scope, from, replies.onPage(tenant, asked.title))
  if (!asked.accepted_terms_on) return unclear(scope, from, replies.termsFirst(tenant, asked.title))
  const value = readReply(question, text)
  if (value === undefined) return unclear(scope, from, replies.notUnderstood(tenant, asked.title, question))
  const feedback = await keepAnswer(scope, asked, question, value)
  if (feedback === null) return unclear(scope, from, replies.closed(tenant, asked.title))
  const said = replies.withFeedback(replies.understood(tenant, asked.title, question, value), feedback)
  return { reading: 'answer', reply: await withNext(scope, said, others) }
}

/** Null for a lift that closed meanwhile. */
async function keepAnswer(
  scope: Scope,
  { lift_id, user_id, email }: TextedLift,
  { id }: TextQuestion,
  value: unknown,
): Promise<string | null> {
  const learner: Scope = { db: scope.db, actor: { ...scope.actor, user_id, email, roles: [] } }
  if (!(await mayStillWrite(learner))) return null
  try {
    const input = { responses: [{ prompt_id: id, value }], complete: false }
    const { prompts } = await respond(learner, lift_id, input, 'text')
    return prompts.find((prompt) => prompt.id === id)?.answer?.feedback ?? ''
  } catch (error) {
    if (error instanceof Refusal && error.status === 409) return null
    throw error
  }
}

/** Adds the question that the next reply will answer, if that can be answered by text. */
async function withNext(scope: Scope, reply: string, [next]: readonly TextedLift[]): Promise<string> {
  const question = next && (await questionOf(scope, next))
  return next && question ? replies.askingNext(reply, next.title, question) : reply
}

const questionOf = async (scope: Scope, { lift_id, content_version }: TextedLift) =>
  textQuestion(await getVersion(scope, lift_id, content_version))

async function unclear({ db }: Scope, from: string, reply: string): Promise<TextAnswer | null> {
  const { told } = await db
    .selectFrom('inbound_texts')
    .select(({ fn }) => fn.countAll<number>().as('told'))
    .where('number', '=', from)
    .where('reading', '=', 'unclear')
    .where('created_on', '>', sql<Date>`scope_now() - interval '1 day'`)
    .executeTakeFirstOrThrow()
  return Number(told) < MAX_UNCLEAR ? { reading: 'unclear', reply } : null
}
