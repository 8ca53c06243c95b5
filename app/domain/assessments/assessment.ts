/** What an assessment is: its items, its raters, and when it opens and closes. */
import { z } from 'zod'
import { line, requiredLine } from '#app/domain/text/text.ts'
import { ScheduleRule } from '../lifts/schedule-rule.ts'

export const PHASES = ['pre', 'post', 'follow_up'] as const
export type Phase = (typeof PHASES)[number]
export const RATERS = ['self', 'sponsor', 'peers'] as const
export type Rater = (typeof RATERS)[number]
export const ITEM_KINDS = ['scale', 'choice', 'text'] as const

export const MAX_ASSESSMENTS = 12
export const MAX_ITEMS = 60
/** At most this many colleagues are asked about one learner. */
export const MAX_PEERS = 10
/** Answers of this many peers together reveal nobody's own. */
const MIN_ANONYMOUS = 5

const [absolute, offset] = ScheduleRule.options
export const AssessmentRule = z.discriminatedUnion('kind', [
  absolute,
  offset.extend({ from: z.enum(['start', 'joined']) }),
])
export type AssessmentRule = z.infer<typeof AssessmentRule>

/** Options with `points` count in the score; those without are only counted. */
export const ItemOption = z.strictObject({
  id: z.string().regex(/^[a-z0-9_-]{1,20}$/, 'Please use up to 20 small letters, digits, - or _'),
  text: requiredLine(200),
  points: z.number().min(-1000).max(1000).nullable().default(null),
})

export const itemShape = z.strictObject({
  text: requiredLine(300),
  kind: z.enum(ITEM_KINDS),
  objective_id: z.number().int().positive().nullable().default(null),
  /** Its weight in the score; 0 leaves it out. */
  weight: z.number().min(0).max(100).default(1),
  /** Labels for the steps of a scale, from lowest to highest; a label can be empty. */
  anchors: z.array(line(60)).max(11, 'A scale has at most 11 steps').default([]),
  options: z.array(ItemOption).max(20, 'Please use at most 20 answers').default([]),
  /** Items with the same key are compared between assessments; without one, those with the same words. */
  pair_key: line(40).default(''),
})

type Checked = Pick<z.infer<typeof itemShape>, 'kind' | 'anchors' | 'options'>
export function itemCheck({ kind, anchors, options }: Checked, context: z.RefinementCtx): void {
  const problem = (path: string, message: string) =>
    context.addIssue({ code: 'custom', path: [path], message })
  if (kind === 'scale' && anchors.length < 2) problem('anchors', 'A scale has at least two steps')
  if (kind !== 'scale' && anchors.length > 0) problem('anchors', 'Only a scale has steps')
  if (kind === 'choice' && options.length < 2) problem('options', 'Please give at least two answers')
  if (kind !== 'choice' && options.length > 0) problem('options', 'Only a choice has answers')
  if (new Set(options.map((one) => one.id)).size < options.length)
    problem('options', 'Two answers have the same id')
}

/** With an id, an existing item; without one, a new item. */
export const ItemInput = itemShape
  .extend({ id: z.number().int().positive().optional() })
  .superRefine(itemCheck)
export type ItemInput = z.infer<typeof ItemInput>

const fields = {
  name: requiredLine(120),
  phase: z.enum(PHASES),
  raters: z
    .array(z.enum(RATERS))
    .min(1, 'Please choose at least one')
    .transform((raters) => RATERS.filter((rater) => raters.includes(rater))),
  opens: AssessmentRule,
  closes: AssessmentRule.nullable().default(null),
  anonymous_min: z.number().int().min(MIN_ANONYMOUS).max(MAX_PEERS).default(MIN_ANONYMOUS),
  items: z.array(ItemInput).max(MAX_ITEMS, `Please use at most ${MAX_ITEMS} items`).default([]),
}

type Ends = { opens: AssessmentRule; closes: AssessmentRule | null }
export function endCheck(input: Ends, context: z.RefinementCtx): void {
  const problem = wrongEnd(input)
  if (problem) context.addIssue({ code: 'custom', path: ['closes'], message: problem })
}

export const AssessmentInput = z.strictObject(fields).superRefine(endCheck)
export type AssessmentInput = z.infer<typeof AssessmentInput>

/** Fields that are left out stay; `items` is the complete list, in order. */
export const AssessmentChange = z.strictObject({
  name: fields.name.optional(),
  phase: fields.phase.optional(),
  raters: fields.raters.optional(),
  opens: fields.opens.optional(),
  closes: AssessmentRule.nullable().optional(),
  anonymous_min: fields.anonymous_min.unwrap().optional(),
  items: fields.items.unwrap().optional(),
  lock_version: z.coerce.number().int().min(0),
})
export type AssessmentChange = z.infer<typeof AssessmentChange>

/** Says that the end comes before the beginning, where the rules alone show it. */
export function wrongEnd({ opens, closes }: Ends) {
  if (!closes) return null
  const isLater =
    opens.kind === 'absolute' && closes.kind === 'absolute'
      ? `${closes.date} ${closes.time}` > `${opens.date} ${opens.time}`
      : opens.kind !== 'offset' ||
        closes.kind !== 'offset' ||
        opens.from !== closes.from ||
        isAfter(closes, opens)
  return isLater ? null : 'It would close before it opens'
}

type Offset = Extract<AssessmentRule, { kind: 'offset' }>
const isAfter = (closes: Offset, opens: Offset): boolean =>
  closes.days === opens.days ? (closes.time ?? '') > (opens.time ?? '') : closes.days > opens.days

export const AssessmentItem = itemShape.extend({ id: z.number().int() })
export type AssessmentItem = z.infer<typeof AssessmentItem>

export const Assessment = z.object({
  ...fields,
  raters: z.array(z.enum(RATERS)),
  closes: AssessmentRule.nullable(),
  id: z.number().int(),
  journey_id: z.number().int(),
  anonymous_min: z.number().int(),
  items: z.array(AssessmentItem),
  /** Takes no more answers; those given are kept. */
  is_retired: z.boolean(),
  submitted: z.number().int(),
  lock_version: z.number().int(),
})
export type Assessment = z.infer<typeof Assessment>
