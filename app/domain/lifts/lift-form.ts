/** A lift as its form sends it: a message, one text, one question with a choice of answers. */
import { z } from 'zod'
import { figures } from '#app/domain/text/figures.ts'
import { line, requiredLine } from '#app/domain/text/text.ts'
import { wholeNumber } from '#app/domain/text/whole-number.ts'
import { freeLetters } from '../free-letters.ts'
import { MAX_SEGMENTS } from '../journeys/segments.ts'
import { messageSegments } from '../journeys/template.ts'
import type { Lift, LiftInput } from './lift.ts'
import { PromptInput, type PromptOption } from './prompt.ts'
import { NO_ANSWER, OptionRow, rowOf, strayFeedback } from './prompt-form.ts'
import type { ScheduleRule } from './schedule-rule.ts'
import { checkRule, ruleFields, ruleOf, whenOf } from './schedule-rule-form.ts'

const ROWS = 4
const NO_WORDS = 'Please write the answer that is right, or mark another'

const text = (max: number) =>
  z
    .string()
    .max(max, `Please use at most ${figures(max)} characters`)
    .default('')

const NUMBER = z.number('Please enter a number')

export const LiftForm = z
  .object({
    lock_version: z.number().int().min(0).optional(),
    title: requiredLine(80),
    sms_text: text(600),
    email_subject: line(200).default(''),
    body: text(20_000),
    ...ruleFields,
    closes_after_hours: wholeNumber(NUMBER, 1, 8760).optional(),
    completion_rule: z.enum(['all_required_prompts', 'viewed_and_confirmed']).default('all_required_prompts'),
    est_minutes: wholeNumber(NUMBER, 1, 120).optional(),
    is_optional: z.boolean().default(false),
    objective_ids: z.array(z.number().int()).default([]),
    is_ready: z.boolean().default(false),
    question: line(300).default(''),
    options: z.array(OptionRow).max(20).default([]),
    correct: z.string().max(3).default(''),
  })
  .superRefine((form, context) => {
    const problem = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message })
    checkRule(form, problem)
    if (messageSegments(form.sms_text, { lift: form.title }).segments > MAX_SEGMENTS)
      problem('sms_text', `The message is too long: it can be at most ${MAX_SEGMENTS} texts`)
    // The lift and its question are saved separately, so errors of the question must be found before the lift is
    // saved.
    const asked = form.question ? PromptInput.safeParse(promptOfForm(form)) : undefined
    for (const { path, message } of asked?.error?.issues ?? []) {
      const at = path[0] === 'options' ? rowOf(form, message) : ['question']
      context.addIssue({ code: 'custom', path: at, message })
    }
    if (form.correct !== '' && !form.options[Number(form.correct)]?.text)
      context.addIssue({
        code: 'custom',
        path: ['options', Number(form.correct) || 0, 'text'],
        message: NO_WORDS,
      })
    for (const row of strayFeedback(form.options))
      context.addIssue({ code: 'custom', path: ['options', row, 'text'], message: NO_ANSWER })
    if (!form.question && filled(form).length > 0) problem('question', 'Please write the question')
  })
export type LiftForm = z.infer<typeof LiftForm>
export type LiftFormFields = z.input<typeof LiftForm>

const filled = (form: { options: { text: string }[] }) => form.options.filter((option) => option.text !== '')

export function liftOfForm(form: LiftForm, before?: Lift): LiftInput {
  const schedule = ruleOf(form)
  const body = form.body.trim()
  return {
    title: form.title,
    sms_text: form.sms_text,
    email_subject: form.email_subject,
    ...(before ? {} : { blocks: body === '' ? [] : [{ kind: 'text', markdown: body }] }),
    required: !form.is_optional,
    completion_rule: form.completion_rule,
    closes_after_hours: form.closes_after_hours ?? null,
    est_minutes: form.est_minutes ?? before?.est_minutes ?? 3,
    objective_ids: form.objective_ids,
    status: before?.status === 'retired' ? 'retired' : form.is_ready ? 'ready' : 'draft',
    ...(schedule && { schedule }),
  }
}

/** The question, or null when the form has none. Options keep their ids: answers are stored by them. */
export function promptOfForm(form: LiftForm): PromptInput | null {
  if (form.question === '') return null
  const free = freeLetters(form.options.map((option) => option.id))
  const options = form.options.flatMap((option, row): PromptOption[] => {
    if (option.text === '') return []
    const id = option.id || free.shift() || `o${row}`
    const correct = form.correct === '' ? null : form.correct === String(row)
    return [{ id, text: option.text, feedback: option.feedback, correct }]
  })
  const scoring = options.some((option) => option.correct) ? 'auto' : 'none'
  return {
    kind: 'single_choice',
    text: form.question,
    help: '',
    options,
    target: null,
    scoring,
    max_score: 1,
    required: true,
    visibility: 'admins',
  }
}

/** `rule`: the default schedule rule of a new lift. */
export function formOfLift(lift?: Lift, rule?: ScheduleRule) {
  return {
    lock_version: lift?.lock_version,
    title: lift?.title ?? '',
    sms_text: lift?.sms_text,
    email_subject: lift?.email_subject ?? '',
    options: Array.from({ length: lift ? 0 : ROWS }, () => ({ id: '', text: '', feedback: '' })),
    is_ready: lift ? lift.status === 'ready' : true,
    is_optional: lift ? !lift.required : false,
    completion_rule: lift?.completion_rule ?? 'all_required_prompts',
    closes_after_hours: lift?.closes_after_hours ?? undefined,
    est_minutes: lift?.est_minutes ?? 3,
    objective_ids: (lift?.objective_ids ?? []).map(String),
    ...whenOf(lift?.schedule ?? rule),
  }
}
