/** The assessments of one learner, as far as the caller may read them. */

import { mayManageJourneys, maySeeJourney } from '../access/journeys.ts'
import { may } from '../access/permissions.ts'
import { notFound } from '../errors.ts'
import { getJourney } from '../journeys/journeys.server.ts'
import { asParticipant, type Scope } from '../scope/scope.server.ts'
import { readAssessments } from './assessments.server.ts'
import type { LearnerAssessments } from './form.ts'
import { namesOf } from './own-forms.server.ts'
import { readPeers } from './peers.server.ts'
import { readForms, type Sight, show } from './shown-forms.server.ts'

export async function getLearnerAssessments(
  scope: Scope,
  journeyId: number,
  userId: number,
): Promise<LearnerAssessments> {
  const managed = await findManaged(scope, journeyId, userId)
  // Managers of the journey read more than a sponsor or peer does, but not about themselves.
  const taken =
    managed && userId !== scope.actor.user_id
      ? null
      : await asParticipant(scope, async (own) => {
          const known = await findKnown(own, journeyId, userId)
          return known && readLearner(own, userId, known)
        })
  const shown =
    taken ?? (managed && (await readLearner(scope, userId, { member: managed, sight: 'manager' })))
  if (!shown) {
    // People unrelated to the learner get the same refusal as for the journey.
    await getJourney(scope, journeyId)
    throw notFound()
  }
  return {
    ...shown,
    may_manage: managed !== null,
    may_reopen: managed !== null && may(scope.actor, 'assessments:reopen') && managed.status !== 'archived',
  }
}

type Learner = { id: number; journey_id: number; journey: string; state: string; status: string }

async function readLearner(
  scope: Scope,
  userId: number,
  { member, sight }: { member: Learner; sight: Sight },
) {
  const journeyId = member.journey_id
  const assessments = await readAssessments(scope, journeyId)
  const forms = await readForms(scope, member.id)
  const peers = sight === 'peer' ? new Map() : await readPeers(scope, assessments, [member.id])
  const names = await namesOf(scope, [userId])
  const shown = assessments.flatMap((one) => show(one, forms, peers, { sight, member: member.id }))
  return {
    journey: { id: journeyId, name: member.journey },
    learner: { id: userId, name: names.get(userId) ?? '' },
    is_self: sight === 'self',
    assessments: shown,
  }
}

const selectLearner = ({ db }: Scope, journeyId: number, userId: number) =>
  db
    .selectFrom('members as s')
    .innerJoin('journeys as j', 'j.id', 's.journey_id')
    .leftJoin('members as p', 'p.id', 's.sponsor_id')
    .select(['s.id', 's.journey_id', 's.state', 'j.name as journey', 'j.author_id', 'j.sub_tenant_id'])
    .select(['j.status', 'p.user_id as sponsor'])
    .where('s.journey_id', '=', journeyId)
    .where('s.user_id', '=', userId)
    .where('s.role', '=', 'learner')

async function findManaged(scope: Scope, journeyId: number, userId: number) {
  if (!mayManageJourneys(scope.actor)) return null
  const member = await selectLearner(scope, journeyId, userId).executeTakeFirst()
  return member && maySeeJourney(scope.actor, member) ? member : null
}

async function findKnown(scope: Scope, journeyId: number, userId: number) {
  const { user_id } = scope.actor
  const member = await selectLearner(scope, journeyId, userId)
    .where('s.state', '!=', 'withdrawn')
    .where('j.status', '!=', 'draft')
    .executeTakeFirst()
  if (!member) return null
  if (userId === user_id) return { member, sight: 'self' as Sight }
  if (member.sponsor !== null && member.sponsor === user_id) return { member, sight: 'sponsor' as Sight }
  return (await isPeer(scope, member.id)) ? { member, sight: 'peer' as Sight } : null
}

async function isPeer({ actor, db }: Scope, subjectId: number): Promise<boolean> {
  const form = await db
    .selectFrom('assessment_forms as f')
    .innerJoin('members as r', 'r.id', 'f.rater_id')
    .select('f.id')
    .where('f.subject_id', '=', subjectId)
    .where('f.rater', '=', 'peers')
    .where('f.state', 'in', ['open', 'in_progress', 'submitted'])
    .where('r.user_id', '=', actor.user_id ?? 0)
    .where('r.state', '!=', 'withdrawn')
    .executeTakeFirst()
  return form !== undefined
}
