/**
 * Manual scores: sponsors score answers that sponsors may read, authors those that people running the journey may.
 */

import { sql } from 'kysely'
import { figures } from '#app/domain/text/figures.ts'
import { nameOrEmailOf } from '#app/domain/text/full-name.server.ts'
import { record } from '../audit/audit.server.ts'
import { forbidden, invalid, notFound, Refusal, stale } from '../errors.ts'
import { answerInWords } from '../lifts/answer-words.ts'
import { getLift, getPrompt } from '../lifts/lifts.server.ts'
import { notify } from '../notifications/notifications.server.ts'
import { nowIn } from '../scope/clock.server.ts'
import { asParticipant, type Scope, tenantWide } from '../scope/scope.server.ts'
import { requireNotErased } from '../users/beside-erasure.server.ts'
import { READABLE } from './response.ts'
import { type ScorableAnswer, type ScoreInput, type Scorer, toPoints } from './score.ts'

const selectAnswer = ({ db }: Scope, id: number) =>
  db
    .selectFrom('responses as r')
    .innerJoin('members as m', 'm.id', 'r.member_id')
    .innerJoin('journeys as j', 'j.id', 'm.journey_id')
    .select(['r.id', 'r.lift_id', 'r.prompt_id', 'r.member_id', 'm.user_id', 'j.status'])
    .select(['j.id as journey_id', 'j.name as journey'])
    .select(sql<string | null>`(select scoring from prompt_scoring(r.prompt_id))`.as('scoring'))
    .where('r.id', '=', id)

const seenBySponsor = (scope: Scope, id: number) =>
  asParticipant(scope, (own) =>
    selectAnswer(own, id)
      .innerJoin('members as sponsor', 'sponsor.id', 'm.sponsor_id')
      .where('sponsor.user_id', '=', scope.actor.user_id ?? 0)
      .where('sponsor.state', '!=', 'withdrawn')
      .where('m.state', '!=', 'withdrawn')
      .where('r.visibility', '=', 'sponsor')
      .executeTakeFirst(),
  )

/** Without access to the lift or the learner, or once the learner is erased, the answer is not visible. */
async function seenByAuthor(scope: Scope, id: number) {
  const found = await selectAnswer(scope, id)
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .where('r.visibility', 'in', READABLE)
    .where('u.erased_on', 'is', null)
    .executeTakeFirst()
  if (!found) return undefined
  const lift = await getLift(scope, found.lift_id).catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error
  })
  return lift && found
}

/** Answers that only the learner may read cannot be scored: the same 404 as for missing ones. */
export async function findScorable(scope: Scope, id: number) {
  const own = await seenBySponsor(scope, id)
  if (own?.scoring === 'sponsor') return { ...own, by: 'sponsor' as Scorer }
  const run = await seenByAuthor(scope, id)
  if (run?.scoring === 'author') return { ...run, by: 'author' as Scorer }
  if (own || run) throw forbidden('You cannot score this answer: its question says who does, if anybody.')
  throw notFound()
}
type Scorable = Awaited<ReturnType<typeof findScorable>>

export async function getScorable(scope: Scope, id: number): Promise<ScorableAnswer> {
  const found = await findScorable(scope, id)
  return tenantWide(scope, async (whole) => {
    await requireCurrent(whole, found)
    return readScorable(whole, found)
  })
}

/** Idempotent: the same points and comment count as the same score. */
export async function scoreAnswer(scope: Scope, id: number, input: ScoreInput): Promise<ScorableAnswer> {
  const found = await findScorable(scope, id)
  if (found.status === 'archived')
    throw new Refusal(409, 'This journey is archived; its scores stay as they are.')
  await requireNotErased(scope, found.user_id)
  return tenantWide(scope, async (whole) => {
    await whole.db.selectFrom('responses').select('id').where('id', '=', id).forUpdate().execute()
    await requireCurrent(whole, found)
    const before = await readScorable(whole, found)
    const { max_score } = before.score
    if (input.points > max_score) throw invalid({ points: [`Please enter 0 to ${figures(max_score)}`] })
    const points = toPoints(input.points / max_score, max_score)
    if (before.score.points === points && before.score.comment === input.comment) return before
    if (input.version !== undefined && input.version !== before.score.version) throw stale(before)
    await whole.db
      .updateTable('responses')
      .set({
        ...{ score: input.points / max_score, score_comment: input.comment },
        ...{ scored_by: scope.actor.user_id, scored_at: nowIn(whole), score_version: sql`score_version + 1` },
      })
      .where('id', '=', id)
      .execute()
    await tellLearner(whole, before, points)
    const said = { learner: found.user_id, question: found.prompt_id, points }
    await record(whole, 'answer.scored', { type: 'lift', id: found.lift_id }, said)
    return readScorable(whole, found)
  })
}

/** The refusal contains the current answer. */
async function requireCurrent({ db }: Scope, { id, member_id, prompt_id }: Scorable): Promise<void> {
  const current = await db
    .selectFrom('responses')
    .select('id')
    .where('member_id', '=', member_id)
    .where('prompt_id', '=', prompt_id)
    .where('is_current', '=', true)
    .executeTakeFirst()
  if (current?.id === id) return
  throw new Refusal(409, 'The learner has changed this answer. Please score the new one.', { current })
}

async function readScorable(whole: Scope, found: Scorable): Promise<ScorableAnswer> {
  const prompt = await getPrompt(whole, found.prompt_id)
  const row = await whole.db
    .selectFrom('responses as r')
    .innerJoin('lifts as l', 'l.id', 'r.lift_id')
    .innerJoin('members as m', 'm.id', 'r.member_id')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select(['r.value', 'r.score', 'r.score_comment', 'r.score_version', 'r.scored_at', 'l.title'])
    .select(nameOrEmailOf('u').as('name'))
    .where('r.id', '=', found.id)
    .executeTakeFirstOrThrow()
  const { max_score } = prompt
  return {
    ...{ id: found.id, by: found.by, learner: { user_id: found.user_id, name: row.name } },
    journey: { id: found.journey_id, name: found.journey },
    lift: { id: found.lift_id, title: row.title },
    question: prompt.text,
    words: answerInWords(prompt, row.value),
    score: {
      points: row.score === null || row.scored_at === null ? null : toPoints(row.score, max_score),
      ...{ max_score, comment: row.score_comment, version: row.score_version },
      scored_at: row.scored_at?.toISOString() ?? null,
    },
  }
}

const tellLearner = (whole: Scope, { learner, lift, score }: ScorableAnswer, points: number) =>
  notify(whole, [learner.user_id], {
    notification_type: 'info',
    content: {
      title: 'Your answer was scored',
      message: `“${lift.title}”: ${points} of ${score.max_score}.`,
      path: `/lift/${lift.id}`,
    },
  })
