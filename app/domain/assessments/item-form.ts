/** An item as its form sends it: steps and options are lines of text. */
import { z } from 'zod'
import { freeLetters } from '../free-letters.ts'
import { line, requiredLine } from '../text/text.ts'
import { type AssessmentItem, ITEM_KINDS, ItemInput } from './assessment.ts'

const MAX_LINES = 6000

export const ItemForm = z
  .object({
    lock_version: z.number().int().min(0),
    kind: z.enum(ITEM_KINDS),
    text: requiredLine(300),
    anchors: z.string().max(MAX_LINES).default(''),
    options: z.string().max(MAX_LINES).default(''),
    weight: z.number('Please enter a number').min(0, 'Please enter 0 or more').max(100).default(1),
    objective_id: z.number().int().positive().optional(),
    pair_key: line(40).default(''),
  })
  .superRefine((form, context) => {
    for (const { path, message } of ItemInput.safeParse(itemOfForm(form)).error?.issues ?? [])
      context.addIssue({ code: 'custom', path: path.slice(0, 1), message })
  })
type ItemForm = z.infer<typeof ItemForm>

/** An option keeps its id as long as its words stay the same. */
export function itemOfForm(form: ItemForm, before?: AssessmentItem): ItemInput {
  const { lock_version: _lock, anchors, options, objective_id, ...plain } = form
  return {
    ...plain,
    ...(before && { id: before.id }),
    objective_id: objective_id ?? null,
    anchors: form.kind === 'scale' ? stepsOf(anchors) : [],
    options: form.kind === 'choice' ? optionsOf(options, before) : [],
  }
}

const linesOf = (text: string): string[] => text.split(/\r?\n/).map((one) => one.trim())

/** A step without a label is an empty line; trailing empty lines are dropped. */
function stepsOf(text: string): string[] {
  const lines = linesOf(text)
  return lines.slice(0, lines.findLastIndex((one) => one !== '') + 1)
}

function optionsOf(text: string, before?: AssessmentItem): ItemInput['options'] {
  const lines = linesOf(text).filter((one) => one !== '')
  const known = new Map(before?.options.map((option) => [option.text, option.id]))
  const free = freeLetters((before?.options ?? []).map((option) => option.id))
  return lines.map((one, nth) => {
    const [, words = one, points] = /^(.*?)\s*\|\s*(-?\d+(?:\.\d+)?)$/.exec(one) ?? []
    const id = known.get(words) ?? free.shift() ?? `o${nth}`
    known.delete(words)
    return { id, text: words, points: points === undefined ? null : Number(points) }
  })
}

export function formOfItem(lock_version: number, kind: AssessmentItem['kind'], item: AssessmentItem | null) {
  return {
    ...{ lock_version, kind },
    text: item?.text ?? '',
    anchors: item ? item.anchors.join('\n') : 'Never\n\nSometimes\n\nAlways',
    options: (item?.options ?? [])
      .map(({ text, points }) => (points === null ? text : `${text} | ${points}`))
      .join('\n'),
    weight: item?.weight ?? 1,
    objective_id: item?.objective_id ?? undefined,
    pair_key: item?.pair_key ?? '',
  }
}

export const ITEM_NAMES = { scale: 'Scale', choice: 'Choice', text: 'Text' } as const
