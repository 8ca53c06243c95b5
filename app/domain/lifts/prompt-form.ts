/** A question as its form sends it. */
import { z } from 'zod'
import { line, requiredLine } from '#app/domain/text.ts'
import { hasOptions, offeredOptions, PROMPT_KINDS, type Prompt, PromptInput, VISIBILITIES } from './prompt.ts'

const LETTERS = 'abcdefghijklmnopqrst'
const SPARE_ROWS = 2
const MIN_ROWS = 4

export const PromptForm = z
  .object({
    kind: z.enum(PROMPT_KINDS),
    version: z.number().int().optional(),
    text: requiredLine(300),
    help: line(500).default(''),
    options: z
      .array(
        z.object({
          id: z.string().max(20).default(''),
          text: line(200).default(''),
          feedback: line(500).default(''),
          correct: z.boolean().default(false),
        }),
      )
      .max(20)
      .default([]),
    scoring: z.enum(['none', 'auto', 'sponsor', 'author']).default('none'),
    max_score: z.number('Please enter a number').positive().max(1000).default(1),
    is_optional: z.boolean().default(false),
    visibility: z.enum(VISIBILITIES).default('admins'),
    objective_ids: z.array(z.number().int()).default([]),
  })
  .superRefine((form, context) => {
    const parsed = PromptInput.safeParse(promptOfForm(form))
    for (const { path, message } of parsed.error?.issues ?? [])
      context.addIssue({ code: 'custom', path: path.slice(0, 1), message })
  })
export type PromptForm = z.infer<typeof PromptForm>
export type PromptFormFields = z.input<typeof PromptForm>

/** An option keeps its id, because answers are kept by it; a row without words is none. */
export function promptOfForm({ version: _version, is_optional, options, ...form }: PromptForm): PromptInput {
  const filled = hasOptions(form.kind) ? options.filter((option) => option.text !== '') : []
  const taken = new Set(options.map((option) => option.id))
  const free = [...LETTERS].filter((letter) => !taken.has(letter))
  const isJudged = filled.some((option) => option.correct)
  return {
    ...form,
    required: !is_optional,
    options: filled.map(({ id, text, feedback, correct }) => ({
      id: id || free.shift() || text.slice(0, 1),
      text,
      feedback,
      correct: isJudged ? correct : null,
    })),
  }
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
