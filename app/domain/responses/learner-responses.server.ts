/** What one learner did with each lift of a journey, and answered, for those who run the journey. */
import { type SqlBool, sql } from 'kysely'
import { may } from '../access/permissions.ts'
import { forbidden, notFound } from '../errors.ts'
import { getJourney } from '../journeys/journeys.server.ts'
import { answerInWords } from '../lifts/answer-words.ts'
import { LiftContent } from '../lifts/lift.ts'
import type { Prompt } from '../lifts/prompt.ts'
import { paginate } from '../page.ts'
import type { Scope } from '../scope.server.ts'
import { nameOfLearner } from '../users/learner-name.server.ts'
import {
  type AnsweredLift,
  isReadable,
  type LearnerAnswer,
  type LearnerResponses,
  type LearnerResponsesQuery,
} from './response.ts'
import { type Scorer, toPoints } from './score.ts'
import { containing } from './searching.server.ts'

export async function getLearnerResponses(
  scope: Scope,
  journeyId: number,
  userId: number,
  query: LearnerResponsesQuery,
): Promise<LearnerResponses> {
  const journey = await getJourney(scope, journeyId)
  if (!may(scope.actor, 'analytics:view')) throw forbidden()
  const learner = await scope.db
    .selectFrom('members as m')
    .leftJoin('users as u', 'u.id', 'm.user_id')
    .leftJoin('members as sm', 'sm.id', 'm.sponsor_id')
    .leftJoin('users as su', 'su.id', 'sm.user_id')
    .select(['m.id', 'm.state', 'm.exclude_data', nameOfLearner.as('name'), 'u.id as known'])
    .select(sql<string | null>`nullif(trim(su.first_name || ' ' || su.last_name), '')`.as('sponsor'))
    .where('m.journey_id', '=', journeyId)
    .where('m.user_id', '=', userId)
    .where('m.role', '=', 'learner')
    .executeTakeFirst()
  if (!learner) throw notFound()
  return {
    user_id: userId,
    name: learner.name,
    journey: { id: journey.id, name: journey.name },
    sponsor: learner.sponsor,
    has_left: learner.state === 'withdrawn',
    exclude_data: learner.exclude_data,
    ...(learner.known === null
      ? withoutAnswers(await readAnsweredLifts(scope, learner.id, { ...query, q: '' }, 'author'))
      : await readAnsweredLifts(scope, learner.id, query, 'author')),
  }
}

type AnsweredLifts = Pick<LearnerResponses, 'data' | 'pagination'>

/** Learners are told that their own administrators read them: those of another sub-tenant are not these. */
const withoutAnswers = ({ data, pagination }: AnsweredLifts): AnsweredLifts => ({
  data: data.map((lift) => ({ ...lift, answers: [] })),
  pagination,
})

/** As far as the scope shows them. */
export async function readAnsweredLifts(
  { db }: Scope,
  memberId: number,
  query: LearnerResponsesQuery,
  scorer: Scorer,
): Promise<AnsweredLifts> {
  let matching = db
    .selectFrom('occurrences as o')
    .innerJoin('lifts as l', 'l.id', 'o.lift_id')
    .innerJoin('lift_versions as v', (join) =>
      join.onRef('v.lift_id', '=', 'o.lift_id').onRef('v.version', '=', 'o.content_version'),
    )
    .where('o.member_id', '=', memberId)
    .where('o.state', '!=', 'cancelled')
  if (query.q) matching = matching.where(sayingInLift(query.q))
  const { total } = await matching
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const occurrences = await matching
    .select(['o.lift_id', 'l.title', 'l.required', 'o.state', 'o.due_at', 'o.opened_at', 'o.closes_at'])
    .select(['o.first_response_at', 'o.completed_at', 'v.content'])
    .orderBy('o.due_at', (order) => order.asc().nullsLast())
    .orderBy('o.id')
    .limit(query.per_page)
    .offset((query.page - 1) * query.per_page)
    .execute()
  const responses = await db
    .selectFrom('responses')
    .leftJoinLateral(sql<Asked>`prompt_scoring(responses.prompt_id)`.as('asked'), (join) => join.onTrue())
    .select(['id', 'lift_id', 'prompt_id', 'value', 'score', 'visibility', 'submitted_at'])
    .select(['score_comment', 'asked.scoring', 'asked.max_score'])
    .where('member_id', '=', memberId)
    .where('is_current', '=', true)
    .where(sql<SqlBool>`lift_id = any(${occurrences.map(({ lift_id }) => lift_id)}::bigint[])`)
    .execute()
  return {
    data: occurrences.map(({ content, first_response_at, ...occurrence }): AnsweredLift => {
      const { prompts } = LiftContent.parse(content)
      const own = new Map(
        responses.filter(({ lift_id }) => lift_id === occurrence.lift_id).map((one) => [one.prompt_id, one]),
      )
      return {
        ...occurrence,
        due_at: iso(occurrence.due_at),
        opened_at: iso(occurrence.opened_at),
        closes_at: iso(occurrence.closes_at),
        completed_at: iso(occurrence.completed_at),
        responded_at: iso(first_response_at),
        answers: prompts.flatMap((prompt) => {
          const given = own.get(prompt.id)
          return given ? [toAnswer(prompt, given, scorer)] : []
        }),
      }
    }),
    pagination: paginate(Number(total), query),
  }
}

const iso = (at: Date | null): string | null => at?.toISOString() ?? null

type Asked = { scoring: string | null; max_score: number | null }
type Given = Pick<LearnerAnswer, 'id' | 'value' | 'score'> &
  Asked & { visibility: string; score_comment: string; submitted_at: Date }

function toAnswer(prompt: Prompt, given: Given, scorer: Scorer): LearnerAnswer {
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
    comment: isShown ? given.score_comment : '',
    may_score: isShown && given.scoring === scorer,
    submitted_at: submitted_at.toISOString(),
  }
}

/** In the lift's title, its questions, or what was written. */
const sayingInLift = (q: string) =>
  sql<SqlBool>`(l.title ilike ${containing(q)}
    or exists (select from jsonb_array_elements(v.content -> 'prompts') asked where asked ->> 'text' ilike ${containing(q)})
    or exists (select from responses r where r.member_id = o.member_id and r.lift_id = o.lift_id and r.is_current
      and r.visibility in ('admins', 'sponsor')
      and case jsonb_typeof(r.value) when 'object' then r.value ->> 'what' when 'string' then r.value #>> '{}' end
        ilike ${containing(q)}))`
