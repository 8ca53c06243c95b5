/** A lift as its form sends it: a message, one text, one question with a choice of answers. */
import { z } from 'zod'
import { line, requiredLine } from '#app/domain/text.ts'
import { type ScheduleRule, WallTime } from '../schedules/schedule.ts'
import type { Block } from './blocks.ts'
import type { Lift, LiftInput } from './lift.ts'
import type { Prompt, PromptInput, PromptOption } from './prompt.ts'
import { messageSegments } from './template.ts'

export const WHEN = ['launch', 'date', 'after_start', 'by_hand', 'as_it_is'] as const
const MIN_ROWS = 4
const LETTERS = 'abcdefghijklmnopqrst'

const text = (max: number) => z.string().max(max, `Please use at most ${max} characters`).default('')

export const LiftForm = z
  .object({
    lock_version: z.number().int().min(0).optional(),
    title: requiredLine(80),
    sms_text: text(600).refine(
      (message) => messageSegments(message).segments <= 3,
      'Please stay within 3 SMS segments',
    ),
    email_subject: line(200).default(''),
    body: text(20_000),
    when: z.enum(WHEN),
    date: z.iso.date('Please enter a date').optional(),
    days: z.number().int().min(0).max(730).optional(),
    time: WallTime.optional(),
    is_ready: z.boolean().default(false),
    question: line(300).default(''),
    options: z
      .array(
        z.object({
          id: z.string().max(20).default(''),
          text: line(200).default(''),
          feedback: line(500).default(''),
        }),
      )
      .max(20)
      .default([]),
    correct: z.string().max(3).default(''),
  })
  .superRefine((form, context) => {
    const problem = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message })
    if (form.when === 'date' && !form.date) problem('date', 'Please enter a date')
    if (form.when === 'after_start' && form.days === undefined)
      problem('days', 'Please enter a number of days')
    if (form.question && filled(form).length < 2) problem('options', 'Please give at least two answers')
    if (!form.question && filled(form).length > 0) problem('question', 'Please write the question')
  })
export type LiftForm = z.infer<typeof LiftForm>
/** The same before it is parsed: what the form's fields hold. */
export type LiftFormFields = z.input<typeof LiftForm>

const filled = (form: { options: { text: string }[] }) => form.options.filter((option) => option.text !== '')

/** What the lift becomes; blocks that this form does not show stay where they are. */
export function liftOfForm(form: LiftForm, before?: Lift): LiftInput {
  const schedule = ruleOf(form)
  return {
    title: form.title,
    sms_text: form.sms_text,
    email_subject: form.email_subject,
    blocks: withText(before?.blocks ?? [], form.body.trim()),
    status: form.is_ready ? 'ready' : 'draft',
    ...(schedule && { schedule }),
  }
}

function withText(blocks: readonly Block[], markdown: string): Block[] {
  const at = blocks.findIndex((block) => block.kind === 'text')
  const own: Block[] = markdown === '' ? [] : [{ kind: 'text', markdown }]
  return at === -1 ? [...own, ...blocks] : [...blocks.slice(0, at), ...own, ...blocks.slice(at + 1)]
}

function ruleOf({ when, date, days, time }: LiftForm): ScheduleRule | null {
  switch (when) {
    case 'launch':
      return { kind: 'manual', at_launch: true }
    case 'by_hand':
      return { kind: 'manual', at_launch: false }
    case 'date':
      return date ? { kind: 'absolute', date, time: time ?? '09:00' } : null
    case 'after_start':
      return { kind: 'offset', from: 'start', days: days ?? 0, time: time ?? null }
    case 'as_it_is':
      return null
  }
}

/** The question, or null when the form has none. An option keeps its id: answers are kept by it. */
export function promptOfForm(form: LiftForm, before?: Prompt): PromptInput | null {
  if (form.question === '') return null
  const taken = new Set(form.options.map((option) => option.id).filter(Boolean))
  const free = [...LETTERS].filter((letter) => !taken.has(letter))
  const options = form.options.flatMap((option, row): PromptOption[] => {
    if (option.text === '') return []
    const id = option.id || free.shift() || `o${row}`
    const correct = form.correct === '' ? null : form.correct === String(row)
    return [{ id, text: option.text, feedback: option.feedback, correct }]
  })
  const { help = '', required = true, visibility = 'admins', max_score = 1 } = before ?? {}
  const scoring = options.some((option) => option.correct) ? 'auto' : 'none'
  return {
    kind: 'single_choice',
    text: form.question,
    help,
    options,
    scoring,
    max_score,
    required,
    visibility,
  }
}

/** The one question that the form edits. */
export const promptOnForm = (lift: Lift): Prompt | undefined =>
  lift.prompts.find(({ kind }) => kind === 'single_choice')

export function formOfLift(lift?: Lift) {
  const prompt = lift && promptOnForm(lift)
  const rows = Math.max(MIN_ROWS, (prompt?.options.length ?? 0) + 1)
  const options = Array.from({ length: rows }, (_, row) => {
    const { id = '', text: words = '', feedback = '' } = prompt?.options[row] ?? {}
    return { id, text: words, feedback }
  })
  const correct = prompt?.options.findIndex((option) => option.correct) ?? -1
  const body = lift?.blocks.find((block) => block.kind === 'text')
  return {
    lock_version: lift?.lock_version,
    title: lift?.title ?? '',
    sms_text: lift?.sms_text,
    email_subject: lift?.email_subject ?? '',
    body: body?.kind === 'text' ? body.markdown : '',
    is_ready: lift ? lift.status === 'ready' : true,
    question: prompt?.text ?? '',
    options,
    correct: correct === -1 ? '' : String(correct),
    ...whenOf(lift?.schedule),
  }
}

function whenOf(rule: ScheduleRule = { kind: 'manual', at_launch: true }) {
  if (rule.kind === 'manual') return { when: rule.at_launch ? 'launch' : 'by_hand' }
  if (rule.kind === 'absolute') return { when: 'date', date: rule.date, time: rule.time }
  if (rule.kind === 'offset' && rule.from === 'start')
    return { when: 'after_start', days: rule.days, time: rule.time }
  return { when: 'as_it_is' }
}
