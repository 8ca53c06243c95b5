/** The assessments of one learner, as far as whoever asks may read them. */

import { sql } from 'kysely'
import { mayManageJourneys, maySeeJourney } from '../access/journeys.ts'
import { may } from '../access/permissions.ts'
import { notFound } from '../errors.ts'
import { getJourney } from '../journeys/journeys.server.ts'
import { asParticipant, type Scope, tenantWide } from '../scope/scope.server.ts'
import { type Answers, StoredAnswers } from './answer.ts'
import { versionOf } from './answers-version.server.ts'
import type { Assessment, Rater } from './assessment.ts'
import { readAssessments } from './assessments.server.ts'
import type { Form, FormState, LearnerAssessment, LearnerAssessments } from './form.ts'
import { namesOf } from './own-forms.server.ts'
import { type PeersOf, peersKey, readPeers } from './peers.server.ts'

/** How whoever asks knows the learner; a peer only fills in their own form. */
type Sight = 'self' | 'manager' | 'sponsor' | 'peer'

export async function getLearnerAssessments(
  scope: Scope,
  journeyId: number,
  userId: number,
): Promise<LearnerAssessments> {
  const managed = await findManaged(scope, journeyId, userId)
  const taken = await asParticipant(scope, async (own) => {
    const known = await findKnown(own, journeyId, userId)
    // Who looks after the learner's journey reads more than their sponsor or peer, and no more of their own.
    return known && (known.sight === 'self' || !managed) ? readLearner(own, userId, known) : null
  })
  const shown =
    taken ?? (managed && (await readLearner(scope, userId, { member: managed, sight: 'manager' })))
  if (!shown) {
    // Whoever has nothing to do with the learner is told what they would be told of the journey.
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

/** Whether a learner has assessments to look at: something was asked of them, their sponsor or peers, whose forms they do not see, or has a day on which it will be. */
export const wasAskedAbout = (scope: Scope, subjectId: number): Promise<boolean> =>
  tenantWide(scope, async ({ db }) => {
    const form = await db
      .selectFrom('assessment_forms as f')
      .innerJoin('assessments as a', 'a.id', 'f.assessment_id')
      .select('f.id')
      .where('f.subject_id', '=', subjectId)
      .where((is) =>
        is.or([
          is('f.opened_at', 'is not', null),
          is('f.state', 'not in', ['not_open', 'closed']),
          is.and([
            is('f.rater', '!=', 'peers'),
            is('f.state', '=', 'not_open'),
            is('f.opens_at', '>', sql<Date>`scope_now()`),
            is.exists(
              is.selectFrom('assessment_items as i').whereRef('i.assessment_id', '=', 'a.id').select('i.id'),
            ),
          ]),
        ]),
      )
      .where((is) => is.or([is('f.rater', '!=', 'peers'), is('a.retired_on', 'is', null)]))
      .limit(1)
      .executeTakeFirst()
    return form !== undefined
  })

async function readForms({ actor, db }: Scope, subjectId: number) {
  const rows = await db
    .selectFrom('assessment_forms as f')
    .innerJoin('members as r', 'r.id', 'f.rater_id')
    .selectAll('f')
    .select('r.user_id as person')
    .where('f.subject_id', '=', subjectId)
    .where((is) => is.or([is('f.rater', '!=', 'peers'), is('r.user_id', '=', actor.user_id ?? 0)]))
    .orderBy('f.id')
    .execute()
  return rows.map(({ person, ...row }) => ({
    ...row,
    rater: row.rater as Rater,
    state: row.state as FormState,
    is_mine: person === actor.user_id,
    answers: StoredAnswers.parse(row.answers),
  }))
}
type StoredForm = Awaited<ReturnType<typeof readForms>>[number]

function show(
  assessment: Assessment,
  all: readonly StoredForm[],
  peers: PeersOf,
  { sight, member }: { sight: Sight; member: number },
): LearnerAssessment[] {
  const { id, name, phase, is_retired, items, raters } = assessment
  const forms = all.filter((form) => form.assessment_id === id && (sight !== 'peer' || form.is_mine))
  if (forms.length === 0 && (is_retired || sight === 'peer')) return []
  const own = sight === 'self' || sight === 'sponsor' ? sight : null
  const isSaid = forms.some((form) => form.is_mine && form.rater === own && form.state === 'submitted')
  // Nobody is led by what others think before they have said what they think themselves.
  const isHeld = own !== null && raters.includes(own) && !isSaid
  const said = raters.includes('peers') && !isHeld ? (peers.get(peersKey(id, member)) ?? null) : null
  return [
    {
      ...{ id, name, phase, raters, is_retired, items },
      forms: forms.map((form) =>
        toForm(form, assessment, form.is_mine || (form.state === 'submitted' && !isHeld)),
      ),
      peers: sight === 'peer' ? null : said,
    },
  ]
}

const toForm = (form: StoredForm, { items }: Assessment, isShown: boolean): Form => ({
  rater: form.rater,
  state: form.state,
  is_mine: form.is_mine,
  revision: form.revision,
  reopened_reason: form.reopened_reason,
  opens_at: form.opens_at?.toISOString() ?? null,
  closes_at: form.closes_at?.toISOString() ?? null,
  submitted_at: form.submitted_at?.toISOString() ?? null,
  score: isShown ? form.score : null,
  answers: isShown ? inOrder(items, form.answers) : null,
  answers_version: isShown ? versionOf(form.answers) : null,
})

/** Answers to what is asked no more are left out. */
const inOrder = (items: Assessment['items'], answers: Answers) =>
  items.flatMap(({ id }) => {
    const value = answers[id]
    return value === undefined || value === null ? [] : [{ item_id: id, value }]
  })
