import { z } from 'zod'
import { WallTime } from '../hours/wall-time.ts'
import { requiredLine } from '../text/text.ts'
import { type Assessment, type AssessmentRule, PHASES, RATERS } from './assessment.ts'

const WHEN = ['date', 'after_start', 'after_joining'] as const
const date = z.iso.date('Please enter a date').optional()
const days = z.number('Please enter a number').int().min(0).max(730).optional()

export const AssessmentForm = z
  .object({
    lock_version: z.number().int().min(0).optional(),
    name: requiredLine(120),
    phase: z.enum(PHASES),
    raters: z.array(z.enum(RATERS)).min(1, 'Please choose at least one'),
    opens_when: z.enum(WHEN),
    opens_date: date,
    opens_days: days,
    opens_time: WallTime.optional(),
    closes_when: z.enum(['never', ...WHEN]),
    closes_date: date,
    closes_days: days,
    closes_time: WallTime.optional(),
  })
  .superRefine((form, context) => {
    for (const end of ['opens', 'closes'] as const) {
      const problem = (field: string, message: string) =>
        context.addIssue({ code: 'custom', path: [`${end}_${field}`], message })
      const when = form[`${end}_when`]
      if (when === 'date' && !form[`${end}_date`]) problem('date', 'Please enter a date')
      if (when.startsWith('after') && form[`${end}_days`] === undefined)
        problem('days', 'Please enter a number of days')
    }
  })
type AssessmentForm = z.infer<typeof AssessmentForm>
export type AssessmentFormFields = z.input<typeof AssessmentForm>

const ENDS = { opens: 'Opens', closes: 'Closes' } as const
const PARTS = { when: '', date: ': date', days: ': days', time: ': time of day' } as const
const ofEnds = <Value>(make: (end: string, part: string, words: string) => [string, Value]) =>
  Object.fromEntries(
    Object.entries(ENDS).flatMap(([end, word]) =>
      Object.entries(PARTS).map(([part, words]) => make(end, part, `${word}${words}`)),
    ),
  )

export const END_LABELS: Record<string, string> = ofEnds((end, part, words) => [`${end}_${part}`, words])

/** The rule of a beginning or end is one field in a call, and several fields in the form. */
export const END_FIELDS: Record<string, string> = ofEnds((end, part) => [
  part === 'when' ? end : `${end}.${part}`,
  `${end}_${part}`,
])

export const assessmentOfForm = (form: AssessmentForm) => ({
  name: form.name,
  phase: form.phase,
  raters: form.raters,
  opens: ruleOf(form, 'opens') as AssessmentRule,
  closes: ruleOf(form, 'closes'),
})

function ruleOf(form: AssessmentForm, end: 'opens' | 'closes'): AssessmentRule | null {
  const [when, time] = [form[`${end}_when`], form[`${end}_time`]]
  if (when === 'never') return null
  if (when === 'date') return { kind: 'absolute', date: form[`${end}_date`] ?? '', time: time ?? '09:00' }
  const from = when === 'after_joining' ? 'joined' : 'start'
  return { kind: 'offset', from, days: form[`${end}_days`] ?? 0, time: time ?? null }
}

export function formOfAssessment(assessment: Assessment | null): AssessmentFormFields {
  if (!assessment)
    return {
      ...{ name: '', phase: 'pre', raters: ['self', 'sponsor'] },
      ...{ opens_when: 'after_start', opens_days: 0, closes_when: 'never' },
    }
  const { lock_version, name, phase, raters, opens, closes } = assessment
  const { when: opens_when, date: opens_date, days: opens_days, time: opens_time } = fieldsOf(opens)
  const end = closes ? fieldsOf(closes) : { when: 'never' as const }
  return {
    ...{ lock_version, name, phase, raters },
    ...{ opens_when, opens_date, opens_days, opens_time },
    ...('date' in end ? { closes_date: end.date, closes_days: end.days, closes_time: end.time } : {}),
    closes_when: end.when,
  }
}

type Fields = {
  when: (typeof WHEN)[number]
  date: string | undefined
  days: number | undefined
  time: string | undefined
}

function fieldsOf(rule: AssessmentRule): Fields {
  if (rule.kind === 'absolute') return { when: 'date', date: rule.date, days: undefined, time: rule.time }
  const when = rule.from === 'joined' ? 'after_joining' : 'after_start'
  return { when, date: undefined, days: rule.days, time: rule.time ?? undefined }
}

export const PHASE_NAMES = { pre: 'Before', post: 'After', follow_up: 'Later on' } as const
export const RATER_NAMES = { self: 'Themselves', sponsor: 'Sponsor', peers: 'Peers' } as const
/** The names of raters as the assessed learner reads them. */
export const OWN_RATER_NAMES = { ...RATER_NAMES, self: 'You', sponsor: 'Your sponsor' } as const
