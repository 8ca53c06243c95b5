/** The answers of the demo's learners, their sponsor and their peers before and after a journey. */
import { type Answers, scoreOf } from '#app/domain/assessments/answer.ts'
import type { Assessment, Phase, Rater } from '#app/domain/assessments/assessment.ts'
import { createAssessment } from '#app/domain/assessments/assessments.server.ts'
import { prepareForms } from '#app/domain/assessments/preparing.server.ts'
import type { Objective } from '#app/domain/objectives/objective.ts'
import { createObjective, listObjectives } from '#app/domain/objectives/objectives.server.ts'
import { changeMembers } from '#app/domain/participants/changing.server.ts'
import type { Scope } from '#app/domain/scope/scope.server.ts'
import type { DemoJourney } from './curriculum.ts'

const STEPS = ['Not yet', '', 'Sometimes', '', 'Always']
/** Each question is asked before and after, and measures its own objective. */
const QUESTIONS: readonly (readonly [key: string, text: string, objective: string])[] = [
  ['ask', 'New colleagues know whom to ask.', 'Ask for help early'],
  ['safety', 'Safety comes before speed.', 'Put safety before speed'],
  ['customers', 'Customers hear of a delay before they notice it.', 'Tell customers first'],
  ['handover', 'A hand-over takes five minutes at most.', 'Hand over in five minutes'],
]
const COMMENTS = [
  'The check before the first drive was new to me, and I keep doing it.',
  'More time with the planner would help.',
  'Calls customers early now. That was different in spring.',
]
/** How many steps the answers improve, by question. */
const GAINS = [2, 1, 1, 0]
const DAY = 86_400_000

/** The sponsor is the operations manager; the last learner has none, and one form was never submitted. */
export async function seedAssessments(scope: Scope, journeyId: number): Promise<void> {
  const sponsor = await scope.db
    .selectFrom('users')
    .select('id')
    .where('job_title', '=', 'Operations manager')
    .executeTakeFirstOrThrow()
  const learners = await scope.db
    .selectFrom('members')
    .select('id')
    .where('journey_id', '=', journeyId)
    .where('role', '=', 'learner')
    .where('user_id', '!=', sponsor.id)
    .orderBy('id')
    .execute()
  const member_ids = learners.slice(0, -1).map((one) => one.id)
  await changeMembers(scope, journeyId, { member_ids, sponsor_user_id: sponsor.id })
  for (const [phase, days] of [
    ['pre', 0],
    ['post', 21],
  ] as const)
    await seedAssessment(scope, journeyId, { phase, days })
}

/** Forms before and after, each open for five days, for the learners themselves and their sponsor. */
export async function writeAssessments(
  scope: Scope,
  journeyId: number,
  { lifts, days_between }: Pick<DemoJourney, 'lifts' | 'days_between'>,
): Promise<void> {
  const after = (lifts.length - 1) * days_between
  await writeAssessment(scope, journeyId, {
    phase: 'pre',
    days: 0,
    open_days: 5,
    raters: ['self', 'sponsor'],
  })
  await writeAssessment(scope, journeyId, {
    phase: 'post',
    days: after,
    open_days: 5,
    raters: ['self', 'sponsor'],
  })
}

type When = { phase: Phase; days: number }
type Written = When & { open_days: number; raters: Rater[] }

async function seedAssessment(scope: Scope, journeyId: number, { phase, days }: When) {
  const raters: Rater[] = phase === 'pre' ? ['self', 'sponsor'] : ['self', 'sponsor', 'peers']
  const assessment = await writeAssessment(scope, journeyId, { phase, days, open_days: 7, raters })
  await prepareForms(scope, assessment)
  const forms = await scope.db
    .selectFrom('assessment_forms')
    .select(['id', 'rater', 'opens_at'])
    .where('assessment_id', '=', assessment.id)
    .orderBy('id')
    .execute()
  for (const [nth, form] of forms.entries())
    await seedForm(scope, assessment, { ...form, rater: form.rater as Rater, nth })
  await scope.db.updateTable('assessments').set({ is_stale: false }).where('id', '=', assessment.id).execute()
}

async function writeAssessment(scope: Scope, journeyId: number, { phase, days, open_days, raters }: Written) {
  const objectives = await writeObjectives(scope, journeyId)
  return createAssessment(scope, journeyId, {
    name: phase === 'pre' ? 'Where you start' : 'Where you are now',
    ...{ phase, raters },
    opens: { kind: 'offset', from: 'start', days, time: null },
    closes: { kind: 'offset', from: 'start', days: days + open_days, time: null },
    anonymous_min: 5,
    items: [
      ...QUESTIONS.map(([pair_key, text], nth) => ({
        ...{ text, pair_key, kind: 'scale' as const, anchors: STEPS },
        ...{ weight: 1, options: [], objective_id: objectives[nth]?.id ?? null },
      })),
      {
        ...{ text: 'What else should we know?', kind: 'text', pair_key: 'else' },
        ...{ weight: 1, anchors: [], options: [], objective_id: null },
      },
    ],
  })
}

/** The objectives that both assessments of a journey measure. */
async function writeObjectives(scope: Scope, journeyId: number): Promise<Objective[]> {
  const written = await listObjectives(scope, journeyId)
  if (written.length > 0) return written
  for (const [nth, [, , text]] of QUESTIONS.entries())
    await createObjective(scope, journeyId, { code: `LO${nth + 1}`, text, target_level: 0.75 })
  return listObjectives(scope, journeyId)
}

type Seeded = { id: number; rater: Rater; nth: number; opens_at: Date | null }

async function seedForm({ db }: Scope, { phase, items }: Assessment, { id, rater, nth, opens_at }: Seeded) {
  const isMissing = nth % 11 === 5
  const answers: Answers = isMissing
    ? {}
    : Object.fromEntries(
        items.flatMap((item, at): [number, number | string][] => {
          if (item.kind === 'text')
            return nth % 4 === 1
              ? [[item.id, COMMENTS[(nth + items.length * Number(phase === 'post')) % COMMENTS.length] ?? '']]
              : []
          return [[item.id, stepOf(phase, rater, nth, at)]]
        }),
      )
  await db
    .updateTable('assessment_forms')
    .set({
      answers: JSON.stringify(answers),
      state: isMissing ? 'closed' : 'submitted',
      score: scoreOf(items, answers),
      opened_at: opens_at,
      submitted_at: isMissing || !opens_at ? null : new Date(opens_at.getTime() + ((nth % 5) + 1.1) * DAY),
    })
    .where('id', '=', id)
    .execute()
}

/** Deterministic: mostly better afterwards, by question, and sponsors a little stricter than learners. */
function stepOf(phase: Phase, rater: Rater, nth: number, at: number): number {
  const before = 1 + Number(rater === 'self') + ((nth + at) % 2)
  const gain = (GAINS[at] ?? 0) + Number(nth % 3 === 0)
  return phase === 'pre' ? before : Math.min(5, before + gain)
}
