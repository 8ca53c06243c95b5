/** A question as its form sends it. */
import { z } from 'zod'
import { line, requiredLine } from '#app/domain/text/text.ts'
import { freeLetters } from '../free-letters.ts'
import {
  hasOptions,
  hasTarget,
  isRepeated,
  offeredOptions,
  PROMPT_KINDS,
  type Prompt,
  PromptInput,
  SAME_WORDS,
  VISIBILITIES,
} from './prompt.ts'

const SPARE_ROWS = 2
const MIN_ROWS = 4

export const OptionRow = z.object({
  id: z.string().max(20).default(''),
  text: line(200).default(''),
  feedback: line(500).default(''),
})

export const PromptForm = z
  .object({
    kind: z.enum(PROMPT_KINDS),
    version: z.number().int().optional(),
    text: requiredLine(300),
    help: line(500).default(''),
    options: z
      .array(OptionRow.extend({ correct: z.boolean().default(false) }))
      .max(20)
      .default([]),
    /** `true`, `false` or a number; empty if no answer is right or wrong. */
    right_answer: line(40).default(''),
    tolerance: z.number('Please enter a number').min(0, 'Please enter 0 or more').max(1e12).default(0),
    feedback_right: line(500).default(''),
    feedback_wrong: line(500).default(''),
    scoring: z.enum(['none', 'auto', 'sponsor', 'author']).default('none'),
    max_score: z.number('Please enter a number').default(1),
    is_optional: z.boolean().default(false),
    visibility: z.enum(VISIBILITIES).default('admins'),
    objective_ids: z.array(z.number().int()).default([]),
  })
  .superRefine((form, context) => {
    const problem = (path: PropertyKey[], message: string) =>
      context.addIssue({ code: 'custom', path, message })
    const parsed = PromptInput.safeParse(promptOfForm(form))
    // The form's own schema asks for the question.
    for (const { path, message } of parsed.error?.issues.filter(({ path }) => path[0] !== 'text') ?? [])
      if (path[0] === 'options') problem(rowOf(form, message), message)
      else if (path[0] !== 'target') problem(path.slice(0, 1), message)
      else problem(['right_answer'], path[1] === 'value' ? 'Please enter a number' : message)
    if (hasTarget(form.kind) && form.right_answer === '' && (form.feedback_right || form.feedback_wrong))
      problem(['right_answer'], 'Please give the right answer too, or remove the feedback')
    for (const row of strayFeedback(form.options)) problem(['options', row, 'text'], NO_ANSWER)
  })
export type PromptForm = z.infer<typeof PromptForm>
export type PromptFormFields = z.input<typeof PromptForm>

/** Options keep their ids, because answers are stored by them; a row without words is ignored. */
export function promptOfForm(sent: PromptForm): PromptInput {
  const { version: _version, is_optional, options, ...rest } = sent
  const { right_answer: _right, tolerance: _off, feedback_right: _yes, feedback_wrong: _no, ...form } = rest
  const filled = hasOptions(form.kind) ? options.filter((option) => option.text !== '') : []
  const free = freeLetters(options.map((option) => option.id))
  const isJudged = filled.some((option) => option.correct)
  return {
    ...form,
    target: targetOf(sent),
    required: !is_optional,
    options: filled.map(({ id, text, feedback, correct }) => ({
      id: id || free.shift() || text.slice(0, 1),
      text,
      feedback,
      correct: isJudged ? correct : null,
    })),
  }
}

export const NO_ANSWER = 'Please write the answer too, or remove the feedback'

/** Rows with feedback but no option. A stored row may be emptied to delete its option. */
export const strayFeedback = (rows: readonly z.infer<typeof OptionRow>[]): number[] =>
  rows.flatMap(({ id, text, feedback }, row) => (id === '' && text === '' && feedback !== '' ? [row] : []))

/** The field at which an error can be corrected: a row without words, or the choice of the right answer. */
export function rowOf({ options }: { options: readonly { text: string }[] }, message: string): PropertyKey[] {
  if (/\bright\b/.test(message)) return options.length > 0 ? ['options', 0, 'correct'] : ['options']
  if (message === SAME_WORDS)
    return ['options', options.findIndex((_, nth) => isRepeated(options, nth)), 'text']
  const empty = options.findIndex(({ text }) => text === '')
  return empty === -1 ? ['options'] : ['options', empty, 'text']
}

function targetOf(form: PromptForm): PromptInput['target'] {
  const { kind, right_answer, tolerance, feedback_right: right, feedback_wrong: wrong } = form
  if (!hasTarget(kind) || right_answer === '') return null
  if (kind === 'true_false') return { value: right_answer === 'true', tolerance: 0, right, wrong }
  return { value: Number(right_answer), tolerance, right, wrong }
}

export function formOfPrompt(kind: PromptForm['kind'], prompt?: Prompt): PromptFormFields {
  const offered = prompt ? offeredOptions(prompt) : []
  const rows = hasOptions(kind) ? Math.min(20, Math.max(MIN_ROWS, offered.length + SPARE_ROWS)) : 0
  return {
    kind,
    version: prompt?.version,
    text: prompt?.text ?? '',
    help: prompt?.help ?? '',
    options: Array.from({ length: rows }, (_, row) => {
      const { id = '', text = '', feedback = '', correct = false } = offered[row] ?? {}
      return { id, text, feedback, correct: correct === true }
    }),
    right_answer: prompt?.target ? String(prompt.target.value) : '',
    tolerance: prompt?.target?.tolerance ?? 0,
    feedback_right: prompt?.target?.right ?? '',
    feedback_wrong: prompt?.target?.wrong ?? '',
    scoring: prompt?.scoring ?? 'none',
    max_score: prompt?.max_score ?? 1,
    is_optional: prompt?.required === false,
    visibility: prompt?.visibility ?? 'admins',
    objective_ids: prompt?.objective_ids ?? [],
  }
}

export const KIND_NAMES: Readonly<Record<PromptForm['kind'], string>> = {
  single_choice: 'One choice',
  multiple_choice: 'Several choices',
  true_false: 'True or false',
  scale: 'Scale from 1 to 5',
  short_text: 'Short text',
  long_text: 'Long text',
  number: 'Number',
  ranking: 'Ranking',
  commitment: 'Commitment',
  confidence: 'Confidence from 0 to 10',
}
