/**
 * Writes a journey as one readable text: front matter, then each lift with its settings, its page and its questions.
 */
import { stringify } from 'yaml'
import type { Block } from '../../lifts/blocks.ts'
import type { DocumentLift, DocumentPrompt, JourneyDocument } from './document.ts'

/** The beginning of a section. A similar line in an author's text gets a backslash in front. */
export const MARKER = /^\\*(?:~~~|# Lift:)/

/** The end marker, and the format version that requires it; files that people write can omit both. */
export const END = 'end'
export const WITH_END = 2

const yaml = (value: object) => stringify(value, { lineWidth: 0, schema: 'core' })
const fence = (name: string, value: object | null) => `~~~${name}\n${value ? yaml(value) : ''}~~~\n`

export function writeDocument({ head, lifts, pictures }: JourneyDocument): string {
  const untold = new Map(pictures)
  const assessments = head.assessments.map(({ items, ...one }) =>
    filled({
      ...one,
      items: items.map(({ options, ...item }) => filled({ ...item, options: options.map(filled) })),
    }),
  )
  const front = `---\n${yaml({ liftwell: WITH_END, ...filled({ ...head, assessments }) })}---\n`
  return [front, ...lifts.map((lift) => writeLift(lift, untold)), fence(END, null)].join('\n')
}

function writeLift(
  { title, blocks, prompts, ...settings }: DocumentLift,
  untold: Map<string, string>,
): string {
  const parts = [`# Lift: ${title}\n`, fence('settings', filled(settings))]
  for (const [index, block] of blocks.entries()) {
    // Two consecutive texts would be read as one.
    if (block.kind === 'text' && blocks[index - 1]?.kind === 'text') parts.push(fence('break', null))
    parts.push(writeBlock(block, untold))
  }
  for (const prompt of prompts) parts.push(fence('question', writePrompt(prompt)))
  return parts.join('\n')
}

function writeBlock(block: Block, untold: Map<string, string>): string {
  if (block.kind === 'text')
    return `${block.markdown
      .split('\n')
      .map((line) => (MARKER.test(line) ? `\\${line}` : line))
      .join('\n')}\n`
  const { kind, ...fields } = block
  return fence(kind, block.kind === 'image' ? { ...fields, ...tell(block.src, untold) } : fields)
}

/** A picture's data is written only where it is first shown. */
function tell(src: string, untold: Map<string, string>): { data?: string } {
  const data = untold.get(src)
  untold.delete(src)
  return data === undefined ? {} : { data }
}

function writePrompt({ options, ...prompt }: DocumentPrompt): object {
  return filled({
    ...prompt,
    options: options.map(({ id, text, correct, feedback }) => ({
      id,
      text,
      ...(correct === null ? {} : { correct }),
      ...(feedback === '' ? {} : { feedback }),
    })),
  })
}

const filled = (value: object): object =>
  Object.fromEntries(
    Object.entries(value).filter(
      ([, one]) =>
        one !== undefined && one !== null && one !== '' && !(Array.isArray(one) && one.length === 0),
    ),
  )
