/** The forms about one learner, and what somebody may see of them by their relation to the learner. */
import type { Scope } from '../scope/scope.server.ts'
import { type Answers, StoredAnswers } from './answer.ts'
import { versionOf } from './answers-version.server.ts'
import type { Assessment, Rater } from './assessment.ts'
import type { Form, FormState, LearnerAssessment } from './form.ts'
import { type PeersOf, peersKey } from './peers.server.ts'

/** The caller's relation to the learner; a peer only fills in their own form. */
export type Sight = 'self' | 'manager' | 'sponsor' | 'peer'

export async function readForms({ actor, db }: Scope, subjectId: number) {
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

export function show(
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
  // Raters see the others' answers only after their own, so as not to be influenced.
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

/** Drops answers to items that no longer exist. */
const inOrder = (items: Assessment['items'], answers: Answers) =>
  items.flatMap(({ id }) => {
    const value = answers[id]
    return value === undefined || value === null ? [] : [{ item_id: id, value }]
  })
