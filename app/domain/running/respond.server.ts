/** Learners' answers: one current answer per question; earlier ones are kept. */
import { isDeepStrictEqual } from 'node:util'
import { record } from '../audit/audit.server.ts'
import { invalid, notFound, Refusal } from '../errors.ts'
import { keepCommitment, requireDayToCome } from '../lifts/commitments.server.ts'
import { isClosedFor, type Occurrence, readOccurrence } from '../lifts/find-occurrence.server.ts'
import type { LiftContent } from '../lifts/lift.ts'
import type { LiftPage, ResponsesInput } from '../lifts/page.ts'
import { drawPage } from '../lifts/pages.server.ts'
import type { Prompt } from '../lifts/prompt.ts'
import { answerTo, scoreOf } from '../lifts/prompt-answers.ts'
import { getVersion } from '../lifts/versions.server.ts'
import { writeFact } from '../occurrences/facts.server.ts'
import { furthest, type OccurrenceState } from '../occurrences/occurrence.ts'
import { planFollowers } from '../planning/dependents.server.ts'
import { nowIn } from '../scope/clock.server.ts'
import { asParticipant, type Scope, tenantWide } from '../scope/scope.server.ts'

/** `by`: how it was answered, if not on the lift's page. */
export async function respond(
  scope: Scope,
  liftId: number,
  input: ResponsesInput,
  by?: 'text',
): Promise<LiftPage> {
  const { page, answers, isMoved } = await asParticipant(scope, (own) => keepAnswers(own, liftId, input))
  // The log has no answers: they are the learner's own. A double press records nothing.
  if (answers > 0 || isMoved)
    await record(scope, 'lift.answered', { type: 'lift', id: liftId }, { answers, ...(by && { by }) })
  return page
}

/** `answers`: the number of new ones. */
async function keepAnswers(scope: Scope, liftId: number, input: ResponsesInput) {
  const occurrence = await readOccurrence(scope, liftId, 'to answer')
  if (!occurrence) throw notFound()
  if (isClosedFor(occurrence, nowIn(scope)))
    throw new Refusal(409, 'This lift is closed: you can no longer answer it.')
  const content = await getVersion(scope, liftId, occurrence.content_version)
  let answers = 0
  for (const { prompt, value } of readAnswers(content, input))
    if (await keepAnswer(scope, occurrence, prompt, value)) answers += 1
  const moved = await moveOn(scope, occurrence, content, input.complete)
  const page = await drawPage(scope, moved, content)
  return { page, answers, isMoved: moved.state !== occurrence.state }
}

function readAnswers(content: LiftContent, input: ResponsesInput) {
  const problems: Record<string, string[]> = {}
  const answers = input.responses.flatMap(({ prompt_id, value }) => {
    const prompt = content.prompts.find((one) => one.id === prompt_id)
    if (!prompt) {
      problems[`prompt_${prompt_id}`] = ['This question is not part of the lift.']
      return []
    }
    const parsed = answerTo(prompt).safeParse(value)
    if (parsed.success) return [{ prompt, value: parsed.data }]
    problems[`prompt_${prompt_id}`] = parsed.error.issues.map((issue) => issue.message)
    return []
  })
  if (Object.keys(problems).length > 0) throw invalid(problems)
  return answers
}

/** Returns whether the answer is new. */
async function keepAnswer(
  scope: Scope,
  occurrence: Occurrence,
  prompt: Prompt,
  value: unknown,
): Promise<boolean> {
  const { actor, db } = scope
  const mine = db
    .selectFrom('responses')
    .where('member_id', '=', occurrence.member_id)
    .where('prompt_id', '=', prompt.id)
  const current = await mine.select(['id', 'value']).where('is_current', '=', true).executeTakeFirst()
  // Idempotent: the same answer adds no response.
  if (current && isDeepStrictEqual(current.value, value)) return false
  if (prompt.kind === 'commitment') requireDayToCome(scope, occurrence, prompt.id, value)
  if (current)
    await db.updateTable('responses').set({ is_current: false }).where('id', '=', current.id).execute()
  const { id } = await db
    .insertInto('responses')
    .values({
      tenant_id: actor.tenant_id,
      member_id: occurrence.member_id,
      lift_id: occurrence.lift_id,
      prompt_id: prompt.id,
      prompt_version: prompt.version,
      value: JSON.stringify(value),
      score: scoreOf(prompt, value),
      visibility: prompt.visibility,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (prompt.kind === 'commitment')
    await keepCommitment(scope, occurrence, { id, prompt_id: prompt.id, by: (value as { by: string }).by })
  return true
}

/** The state becomes "responded" with the first answer, and "completed" by the lift's completion rule. */
async function moveOn(
  scope: Scope,
  occurrence: Occurrence,
  content: LiftContent,
  confirmed: boolean,
): Promise<Occurrence> {
  const answered = await scope.db
    .selectFrom('responses')
    .select('prompt_id')
    .where('member_id', '=', occurrence.member_id)
    .where('lift_id', '=', occurrence.lift_id)
    .where('is_current', '=', true)
    .execute()
  const done = new Set(answered.map((row) => row.prompt_id))
  const isDone = isComplete(content, done, confirmed)
  const state = occurrence.state as OccurrenceState
  const now = nowIn(scope)
  const next = isDone ? 'completed' : done.size > 0 ? 'responded' : 'opened'
  const moved = {
    state: furthest(state, next),
    opened_at: occurrence.opened_at ?? now,
    first_response_at: occurrence.first_response_at ?? (done.size > 0 ? now : null),
    completed_at: occurrence.completed_at ?? (isDone ? now : null),
  }
  await scope.db.updateTable('occurrences').set(moved).where('id', '=', occurrence.id).execute()
  await tenantWide(scope, async (whole) => {
    const followers = isDone && !occurrence.completed_at ? await planFollowers(whole, occurrence, now) : []
    // Facts last: whoever pauses locks occurrences before facts.
    await writeFact(whole, occurrence.id, ...followers)
  })
  return { ...occurrence, ...moved }
}

function isComplete(content: LiftContent, answered: ReadonlySet<number>, confirmed: boolean): boolean {
  const required = content.prompts.filter((prompt) => prompt.required)
  const allAnswered = required.every((prompt) => answered.has(prompt.id))
  const needsConfirming = content.completion_rule === 'viewed_and_confirmed' || required.length === 0
  return allAnswered && (!needsConfirming || confirmed)
}
