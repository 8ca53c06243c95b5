/** A person's participation in journeys, and their answers. */
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import { READABLE } from '../responses/response.ts'
import type { Scope } from '../scope/scope.server.ts'
import { filledIn, saidBySponsors } from './forms.server.ts'

/** Who the copy is for: another person's copy omits what no administrator may read. */
export type Copy = 'own' | "another's"

export async function readParticipation({ db }: Scope, id: number) {
  return {
    journeys: await db
      .selectFrom('members as m')
      .innerJoin('journeys as j', 'j.id', 'm.journey_id')
      .select([
        'm.id as member_id',
        'j.name',
        'm.role',
        'm.state',
        'm.joined_at',
        'm.left_at',
        'm.exclude_data',
      ])
      .where('m.user_id', '=', id)
      .orderBy('m.id')
      .execute(),
    lifts: await db
      .selectFrom('occurrences as o')
      .innerJoin('members as m', 'm.id', 'o.member_id')
      .innerJoin('lifts as l', 'l.id', 'o.lift_id')
      .select(['l.title', 'o.state', 'o.due_at', 'o.opened_at', 'o.first_response_at', 'o.completed_at'])
      .where('m.user_id', '=', id)
      .orderBy('o.id')
      .execute(),
    encouragements: await db
      .selectFrom('encouragements as e')
      .innerJoin('members as m', 'm.id', 'e.member_id')
      .innerJoin('members as s', 's.id', 'e.sponsor_id')
      .select(['e.said', 'e.created_on', (is) => is('m.user_id', '=', id).as('received')])
      .where((is) => is.or([is('m.user_id', '=', id), is('s.user_id', '=', id)]))
      .orderBy('e.id')
      .execute(),
    author_of: await db
      .selectFrom('journeys')
      .select(['name', 'status', 'created_on'])
      .where('author_id', '=', id)
      .orderBy('id')
      .execute(),
    sponsor_in: await db
      .selectFrom('members as m')
      .innerJoin('members as learner', 'learner.sponsor_id', 'm.id')
      .innerJoin('journeys as j', 'j.id', 'm.journey_id')
      .select(['j.name', (count) => count.fn.count<number>('learner.id').as('learners')])
      .where('m.user_id', '=', id)
      .groupBy(['j.id', 'j.name'])
      .orderBy('j.id')
      .execute(),
  }
}

export async function readAnswers(scope: Scope, id: number, copy: Copy) {
  const { db } = scope
  return {
    answers: await db
      .selectFrom('responses as r')
      .innerJoin('members as m', 'm.id', 'r.member_id')
      .innerJoin('prompts as p', 'p.id', 'r.prompt_id')
      .select(['p.text as question', 'r.value', 'r.score', 'p.max_score', 'r.score_comment', 'r.scored_at'])
      .select(['r.channel', 'r.is_current', 'r.submitted_at'])
      .where('m.user_id', '=', id)
      .$if(copy !== 'own', (query) => query.where('r.visibility', 'in', READABLE))
      .orderBy('r.id')
      .execute(),
    // Whose answers were scored is not included: that is the data of other people.
    scores_given: await db
      .selectFrom('responses as r')
      .innerJoin('prompts as p', 'p.id', 'r.prompt_id')
      .select(['p.text as question', 'r.score', 'p.max_score', 'r.score_comment', 'r.scored_at'])
      .where('r.scored_by', '=', id)
      .$if(copy !== 'own', (query) => query.where('r.visibility', 'in', READABLE))
      .orderBy('r.id')
      .execute(),
    commitments: await db
      .selectFrom('commitments as c')
      .innerJoin('members as m', 'm.id', 'c.member_id')
      .innerJoin('responses as r', 'r.id', 'c.response_id')
      .select(['r.value', 'c.by_on', 'c.state', 'c.settled_at', 'c.acknowledged_at'])
      .select((of) =>
        jsonArrayFrom(
          of
            .selectFrom('commitment_events as e')
            .innerJoin('responses as er', 'er.id', 'e.response_id')
            .select(['er.value', 'e.by_on', 'e.state', 'e.at'])
            .whereRef('e.commitment_id', '=', 'c.id')
            .$if(copy !== 'own', (query) => query.where('er.visibility', 'in', READABLE))
            .orderBy('e.id'),
        ).as('history'),
      )
      .where('m.user_id', '=', id)
      .$if(copy !== 'own', (query) => query.where('r.visibility', 'in', READABLE))
      .orderBy('c.id')
      .execute(),
    assessments: await filledIn(
      scope,
      id,
      copy === 'own' ? ['self', 'sponsor', 'peers'] : ['self', 'sponsor'],
    ),
    assessed_by_sponsors: await saidBySponsors(scope, id),
  }
}
