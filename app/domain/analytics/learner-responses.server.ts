import { sql } from 'kysely'
import { notFound } from '../errors.ts'
import { getJourney } from '../journeys/journeys.server.ts'
import { readAnsweredLifts } from '../responses/answered-lifts.server.ts'
import type { LearnerResponses } from '../responses/response.ts'
import type { Scope } from '../scope/scope.server.ts'
import { nameOfLearner } from '../text/learner-name.server.ts'
import type { LearnerResponsesQuery } from './query.ts'
import { chooseTurns } from './turns.server.ts'

export async function getLearnerResponses(
  scope: Scope,
  journeyId: number,
  userId: number,
  query: LearnerResponsesQuery,
): Promise<LearnerResponses> {
  const journey = await getJourney(scope, journeyId)
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
  const { lift_id, prompt_id, lo_id, from, to, as_of } = query
  const { facts, ...stood } = await chooseTurns(scope, { lift_id, prompt_id, lo_id, from, to, as_of })
  return {
    user_id: userId,
    name: learner.name,
    journey: { id: journey.id, name: journey.name },
    sponsor: learner.sponsor,
    has_left: learner.state === 'withdrawn',
    exclude_data: learner.exclude_data,
    ...(await readAnsweredLifts(scope, learner.id, query, {
      ...{ scorer: 'author', prompt_id },
      turns: { ids: facts?.select('f.occurrence_id').$asScalar() ?? null, ...stood },
      // Learners were promised that only their own administrators read these answers, not those of another
      // sub-tenant.
      withAnswers: learner.known !== null,
    })),
  }
}
