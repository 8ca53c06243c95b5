/** A question inside a lift: its kinds, what a valid answer to each looks like, and how it scores. */
import { z } from 'zod'
import { line, requiredLine } from '#app/domain/text/text.ts'
import { SeenQuery } from '../optimistic-lock.ts'

export const PROMPT_KINDS = [
  'single_choice',
  'multiple_choice',
  'true_false',
  'scale',
  'short_text',
  'long_text',
  'number',
  'ranking',
  'commitment',
  'confidence',
] as const

export type PromptKind = (typeof PROMPT_KINDS)[number]
export const VISIBILITIES = ['learner_only', 'sponsor', 'admins', 'aggregate_only'] as const

const WITH_OPTIONS: readonly PromptKind[] = ['single_choice', 'multiple_choice', 'ranking']
export const hasOptions = (kind: PromptKind): boolean => WITH_OPTIONS.includes(kind)

/** The options that learners can choose from. */
export const offeredOptions = <Option extends { retired?: boolean | undefined }>(prompt: {
  options: readonly Option[]
}): Option[] => prompt.options.filter((option) => !option.retired)

/** Answers are stored by `id`: it never changes once somebody has answered. */
export const PromptOption = z.strictObject({
  id: z.string().regex(/^[a-z0-9_-]{1,20}$/, 'Please use up to 20 small letters, digits, - or _'),
  text: requiredLine(200),
  correct: z.boolean().nullable().default(null),
  feedback: line(500).default(''),
  /** No longer offered, but kept for the figures because somebody chose it. */
  retired: z.boolean().optional(),
})

export type PromptOption = z.infer<typeof PromptOption>

const WITH_TARGET: readonly PromptKind[] = ['true_false', 'number']

/** Kinds whose right answer is a `target`, not an option. */
export const hasTarget = (kind: PromptKind): boolean => WITH_TARGET.includes(kind)

/** Kinds that can be scored automatically by their right answers. */
export const isJudged = (kind: PromptKind): boolean =>
  hasTarget(kind) || kind === 'single_choice' || kind === 'multiple_choice'

/** The right answer of a question without options; a number can have a tolerance. */
export const Target = z.strictObject({
  value: z.union([z.boolean(), z.number().min(-1e12).max(1e12)], 'Please give true, false or a number'),
  tolerance: z.number().min(0, 'Please enter 0 or more').max(1e12).default(0),
  /** Feedback on a right answer, and on any other. */
  right: line(500).default(''),
  wrong: line(500).default(''),
})

export type Target = z.infer<typeof Target>

/** Adds a tiny tolerance for fractions that binary floating point cannot represent. */
export const isHit = ({ value, tolerance }: Target, answer: unknown): boolean =>
  typeof value === 'boolean'
    ? answer === value
    : typeof answer === 'number' && Math.abs(answer - value) <= tolerance + 1e-9

export const promptShape = z.strictObject({
  kind: z.enum(PROMPT_KINDS),
  text: requiredLine(300),
  help: line(500).default(''),
  options: z.array(PromptOption).max(20).default([]),
  target: Target.nullable().default(null),
  scoring: z.enum(['none', 'auto', 'sponsor', 'author']).default('none'),
  max_score: z
    .number()
    .positive('Please enter a number above 0')
    .max(1000, 'Please enter at most 1,000')
    .default(1),
  required: z.boolean().default(true),
  visibility: z.enum(VISIBILITIES).default('admins'),
  /** Left out: unchanged. */
  objective_ids: z.array(z.number().int().positive()).max(50).optional(),
})

type Checked = Pick<z.infer<typeof promptShape>, 'kind' | 'options' | 'scoring' | 'target' | 'visibility'>
export function promptCheck(prompt: Checked, context: z.RefinementCtx): void {
  const problem = (path: string, message: string) =>
    context.addIssue({ code: 'custom', path: [path], message })
  const offered = offeredOptions(prompt)
  if (hasOptions(prompt.kind) && offered.length < 2) problem('options', 'Please give at least two answers')
  if (!hasOptions(prompt.kind) && offered.length > 0)
    problem('options', 'This kind of question has no options')
  if (new Set(prompt.options.map((one) => one.id)).size < prompt.options.length)
    problem('options', 'Two options have the same id')
  if (offered.some((_, nth) => isRepeated(offered, nth))) problem('options', SAME_WORDS)
  const correct = offered.filter((one) => one.correct).length
  checkTarget(prompt, problem)
  checkScorer(prompt, problem)
  if (prompt.scoring === 'auto' && !hasTarget(prompt.kind) && correct === 0)
    problem('options', 'Please mark the right answer')
  if (prompt.kind === 'single_choice' && correct > 1) problem('options', 'Only one answer can be right')
}

export const SAME_WORDS = 'Two answers are the same'

export const isRepeated = (options: readonly { text: string }[], nth: number): boolean => {
  const words = (text = '') => text.trim().replace(/\s+/g, ' ').toLowerCase()
  const said = words(options[nth]?.text)
  return said !== '' && options.slice(0, nth).some(({ text }) => words(text) === said)
}

/** Those who score an answer must be able to read it. */
function checkScorer({ scoring, visibility }: Checked, problem: (path: string, message: string) => void) {
  if (scoring === 'sponsor' && visibility !== 'sponsor')
    problem('scoring', 'Sponsors score only answers that they can read: let the sponsor see the answer, too')
  if (scoring === 'author' && visibility !== 'sponsor' && visibility !== 'admins')
    problem(
      'scoring',
      'You score only answers that you can read: let the people who run the journey see the answer',
    )
}

function checkTarget({ kind, target, scoring }: Checked, problem: (path: string, message: string) => void) {
  if (hasTarget(kind) && scoring === 'auto' && target === null)
    problem('target', 'Please give the right answer')
  if (target === null) return
  if (!hasTarget(kind)) problem('target', 'This kind of question has no right answer')
  else if (typeof target.value !== (kind === 'number' ? 'number' : 'boolean'))
    problem('target', kind === 'number' ? 'Please enter a number' : 'Please choose true or false')
}

export const PromptInput = promptShape.superRefine(promptCheck)
export type PromptInput = z.infer<typeof PromptInput>

/** A change names the version that was edited; without one, the last to save wins. */
export const PromptChange = promptShape
  .extend({ version: z.number().int().positive().optional() })
  .superRefine(promptCheck)
export type PromptChange = z.infer<typeof PromptChange>

export const Prompt = promptShape.extend({
  id: z.number().int(),
  lift_id: z.number().int(),
  position: z.number().int(),
  version: z.number().int(),
  max_score: z.number(),
  objective_ids: z.array(z.number().int()).default([]),
})

export type Prompt = z.infer<typeof Prompt>

export const PromptOrder = SeenQuery.extend({ prompt_ids: z.array(z.number().int().positive()).max(50) })
export type PromptOrder = z.infer<typeof PromptOrder>

/** The query of calls without a body: the version that the caller saw. */
export const SeenPrompt = z.object({ version: z.coerce.number().int().positive().optional() })
export type SeenPrompt = z.infer<typeof SeenPrompt>
