/** The lifts of a learner, with their state and answers, as far as the scope shows them. */
import { type Expression, type SqlBool, sql } from 'kysely'
import { answerInWords } from '../lifts/answer-words.ts'
import { LiftContent } from '../lifts/lift.ts'
import type { Prompt } from '../lifts/prompt.ts'
import { IS_OVERDUE } from '../occurrences/overdue.server.ts'
import { offsetOf, paginate } from '../page.ts'
import { nowIn } from '../scope/clock.server.ts'
import type { Scope } from '../scope/scope.server.ts'
import { countWithPage } from '../search.server.ts'
import { closedBy, type Steps, stateBy } from './lift-states.ts'
import { type AnsweredLift, isReadable, type LearnerAnswer, type LearnerResponses } from './response.ts'
import { type Scorer, toPoints } from './score.ts'
import { containing } from './searching.server.ts'
import { scoreBy, stood } from './standing.server.ts'

type Reading = {
  scorer: Scorer
  /** False: answers are neither read nor searched. */
  withAnswers: boolean
  prompt_id?: number | undefined
  /** Which occurrences, and as of when; null for all, and for now. */
  turns?: { ids: Expression<number> | null; as_of: Date | null }
}

type Asking = { q: string; page: number; per_page: number }

export async function readAnsweredLifts(
  scope: Scope,
  memberId: number,
  query: Asking,
  reading: Reading,
): Promise<Pick<LearnerResponses, 'data' | 'pagination'>> {
  const { db } = scope
  const matching = matchingLifts(db, memberId, query.q, reading)
  const occurrences: FoundLift[] = await matching
    .select(['o.lift_id', 'l.title', 'l.required', 'o.state', 'o.due_at', 'o.opened_at'])
    .select(sql<Date | null>`least(o.closes_at, j.answers_until)`.as('closes_at'))
    .select(['o.first_response_at', 'o.completed_at', 'v.content'])
    .select(sql<boolean>`j.status = 'archived'`.as('is_archived'))
    .select(sql<string>`coalesce(delivery_of(o.id), 'pending')`.as('delivery'))
    .select(sql<boolean>`(m.left_at is null and ${IS_OVERDUE}) is true`.as('is_overdue'))
    .orderBy('o.due_at', (order) => order.asc().nullsLast())
    .orderBy('o.id')
    .limit(query.per_page)
    .offset(offsetOf(query))
    .execute()
  const total = await countWithPage(scope, matching.select('o.id'), query, occurrences.length, Infinity)
  const lifts = occurrences.map(({ lift_id }) => lift_id)
  const responses = await readAnswers(db, memberId, lifts, reading)
  return {
    data: occurrences.map((occurrence) => toAnsweredLift(occurrence, responses, reading, nowIn(scope))),
    pagination: paginate(total, query),
  }
}

function matchingLifts(db: Scope['db'], memberId: number, q: string, { withAnswers, turns }: Reading) {
  let matching = db
    .selectFrom('occurrences as o')
    .innerJoin('members as m', 'm.id', 'o.member_id')
    .innerJoin('journeys as j', 'j.id', 'o.journey_id')
    .innerJoin('lifts as l', 'l.id', 'o.lift_id')
    .innerJoin('lift_versions as v', (join) =>
      join.onRef('v.lift_id', '=', 'o.lift_id').onRef('v.version', '=', 'o.content_version'),
    )
    .where('o.member_id', '=', memberId)
    .where('o.state', '!=', 'cancelled')
  if (turns?.ids) matching = matching.where('o.id', 'in', turns.ids)
  if (q) matching = matching.where(saysInLift(q, withAnswers, turns?.as_of ?? null))
  return matching
}

async function readAnswers(
  db: Scope['db'],
  memberId: number,
  lifts: readonly number[],
  { withAnswers, prompt_id, turns }: Reading,
) {
  if (!withAnswers) return []
  const as_of = turns?.as_of ?? null
  let answers = db
    .selectFrom('responses as r')
    .leftJoinLateral(sql<Asked>`prompt_scoring(r.prompt_id)`.as('asked'), (join) => join.onTrue())
    .select(['r.id', 'r.lift_id', 'r.prompt_id', 'r.value', 'r.visibility', 'r.submitted_at', 'r.is_current'])
    .select(scoreBy(as_of))
    .select(['asked.scoring', 'asked.max_score'])
    .where('r.member_id', '=', memberId)
    .where(stood(as_of))
    .where(sql<SqlBool>`r.lift_id = any(${lifts}::bigint[])`)
  if (prompt_id) answers = answers.where('r.prompt_id', '=', prompt_id)
  return answers.execute()
}

function toAnsweredLift(
  { content, first_response_at, is_archived, ...occurrence }: FoundLift,
  responses: readonly FoundAnswer[],
  { scorer, turns }: Reading,
  now: Date,
): AnsweredLift {
  const as_of = turns?.as_of ?? null
  const upTo = (at: Date | null) => (at && (!as_of || at <= as_of) ? at.toISOString() : null)
  const own = new Map(
    responses.filter(({ lift_id }) => lift_id === occurrence.lift_id).map((one) => [one.prompt_id, one]),
  )
  return {
    ...occurrence,
    state: closedBy(as_of ?? now, stateBy(as_of, { ...occurrence, first_response_at }), occurrence.closes_at),
    is_overdue: as_of === null && occurrence.is_overdue,
    due_at: occurrence.due_at?.toISOString() ?? null,
    closes_at: occurrence.closes_at?.toISOString() ?? null,
    opened_at: upTo(occurrence.opened_at),
    completed_at: upTo(occurrence.completed_at),
    responded_at: upTo(first_response_at),
    answers: LiftContent.parse(content).prompts.flatMap((prompt) => {
      const given = own.get(prompt.id)
      return given ? [toAnswer(prompt, given, is_archived ? null : scorer)] : []
    }),
  }
}

type Asked = { scoring: string | null; max_score: number | null }
type Given = Pick<LearnerAnswer, 'id' | 'value' | 'score'> &
  Asked & { visibility: string; comment: string; submitted_at: Date; is_current: boolean }
type FoundAnswer = Given & { lift_id: number; prompt_id: number }
type FoundLift = Steps & {
  lift_id: number
  title: string
  required: boolean
  delivery: string
  is_overdue: boolean
  content: unknown
  is_archived: boolean
}

function toAnswer(prompt: Prompt, given: Given, scorer: Scorer | null): LearnerAnswer {
  const { submitted_at, visibility, score } = given
  const max_score = given.max_score ?? prompt.max_score
  const isShown = isReadable(visibility)
  return {
    id: given.id,
    prompt_id: prompt.id,
    question: prompt.text,
    kind: prompt.kind,
    visibility: visibility as LearnerAnswer['visibility'],
    value: isShown ? given.value : null,
    words: isShown ? answerInWords(prompt, given.value) : null,
    score: isShown ? score : null,
    points: isShown && score !== null ? toPoints(score, max_score) : null,
    max_score,
    comment: isShown ? given.comment : '',
    may_score: isShown && given.is_current && scorer !== null && given.scoring === scorer,
    submitted_at: submitted_at.toISOString(),
  }
}

/** Searches the lift's title, its questions and the answers. */
const saysInLift = (q: string, withAnswers: boolean, as_of: Date | null) =>
  sql<SqlBool>`(l.title ilike ${containing(q)}
    or exists (select from jsonb_array_elements(v.content -> 'prompts') asked where asked ->> 'text' ilike ${containing(q)})
    or ${withAnswers} and exists (select from responses r where r.member_id = o.member_id and r.lift_id = o.lift_id
      and ${stood(as_of)}
      and r.visibility in ('admins', 'sponsor')
      and case jsonb_typeof(r.value) when 'object' then r.value ->> 'what' when 'string' then r.value #>> '{}' end
        ilike ${containing(q)}))`
