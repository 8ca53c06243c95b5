/** The assessments of one learner, as far as whoever asks may read them. */
import { may } from '../access/permissions.ts'
import { notFound } from '../errors.ts'
import { getJourney } from '../journeys/journeys.server.ts'
import { mayManageJourneys, maySeeJourney } from '../journeys/may.ts'
import type { Scope } from '../scope.server.ts'
import { type Answers, StoredAnswers } from './answer.ts'
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
  const { member, sight, isManager } = await findSight(scope, journeyId, userId)
  const assessments = await readAssessments(scope, journeyId)
  const forms = await readForms(scope, member.id)
  const peers = sight === 'peer' ? new Map() : await readPeers(scope, assessments, [member.id])
  const names = await namesOf(scope, [userId])
  const shown = assessments.flatMap((one) => show(one, forms, peers, { sight, member: member.id }))
  return {
    journey: { id: journeyId, name: member.journey },
    learner: { id: userId, name: names.get(userId) ?? '' },
    is_self: sight === 'self',
    may_manage: isManager,
    may_reopen: isManager && may(scope.actor, 'assessments:reopen') && member.status !== 'archived',
    assessments: shown,
  }
}

/** Whoever has nothing to do with the learner is told what they would be told of the journey. */
async function findSight(scope: Scope, journeyId: number, userId: number) {
  const { actor, db } = scope
  const member = await db
    .selectFrom('members as s')
    .innerJoin('journeys as j', 'j.id', 's.journey_id')
    .leftJoin('members as p', 'p.id', 's.sponsor_id')
    .select(['s.id', 's.state', 'j.name as journey', 'j.author_id', 'j.status', 'p.user_id as sponsor'])
    .where('s.journey_id', '=', journeyId)
    .where('s.user_id', '=', userId)
    .where('s.role', '=', 'learner')
    .executeTakeFirst()
  const isManager = member ? mayManageJourneys(actor) && maySeeJourney(actor, member) : false
  const isOpen = member && member.state !== 'withdrawn' && !['draft', 'archived'].includes(member.status)
  if (isOpen && actor.user_id === userId) return { member, sight: 'self' as Sight, isManager }
  if (member && isManager) return { member, sight: 'manager' as Sight, isManager }
  if (isOpen && member.sponsor !== null && member.sponsor === actor.user_id)
    return { member, sight: 'sponsor' as Sight, isManager }
  if (isOpen && (await isPeer(scope, member.id))) return { member, sight: 'peer' as Sight, isManager }
  await getJourney(scope, journeyId)
  throw notFound()
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
      ...{ id, name, phase, is_retired, items },
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
})

/** Answers to what is asked no more are left out. */
const inOrder = (items: Assessment['items'], answers: Answers) =>
  items.flatMap(({ id }) => {
    const value = answers[id]
    return value === undefined || value === null ? [] : [{ item_id: id, value }]
  })
