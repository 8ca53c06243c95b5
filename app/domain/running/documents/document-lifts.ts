/** Reads the lifts of a journey's file; each is a draft until all of its parts are read. */
import type { z } from 'zod'
import { Block } from '../../lifts/blocks.ts'
import { DocumentLift, DocumentPrompt } from './document.ts'
import type { Report, Section } from './document-sections.ts'
import { sayIssue } from './document-words.ts'
import { type LineOf, readYaml, type YamlSection } from './document-yaml.ts'

type Draft = {
  title: string
  line: number
  settings: Settings | 'wrong' | null
  lineOf: LineOf
  blocks: Placed<Block>[]
  prompts: Placed<DocumentPrompt>[]
  pictures: (readonly [src: string, data: string])[]
}
type Placed<Thing> = { thing: Thing; line: number }
type Settings = z.infer<typeof LiftSettings>

const LiftSettings = DocumentLift.omit({ title: true, blocks: true, prompts: true })
const SECTIONS = ['settings', 'question', 'image', 'video', 'audio', 'file', 'link', 'callout', 'break']

export function readLifts(sections: readonly Section[], report: Report): Draft[] {
  const drafts: Draft[] = []
  const early = sections.findIndex((section) => section.kind === 'text' || section.kind === 'fence')
  const first = sections.findIndex((section) => section.kind === 'lift')
  if (early !== -1 && (first === -1 || early < first))
    report(
      sections[early]?.line ?? 1,
      'This comes before the first lift. Please write "# Lift: " and a title above it.',
    )
  for (const section of first === -1 ? [] : sections.slice(first)) {
    const draft = drafts.at(-1)
    if (section.kind === 'lift') drafts.push(emptyDraft(section))
    else if (draft) readPart(section, draft, report)
  }
  return drafts
}

const emptyDraft = ({ name, line }: Section): Draft => ({
  title: name,
  line,
  settings: null,
  lineOf: () => line,
  blocks: [],
  prompts: [],
  pictures: [],
})

function readPart(section: Section, draft: Draft, report: Report): void {
  if (section.kind === 'text') addText(draft, section, report)
  else if (section.kind !== 'fence') draft.settings ??= 'wrong'
  else if (!SECTIONS.includes(section.name)) {
    draft.settings ??= 'wrong'
    report(
      section.line,
      `There is no part "~~~${section.name.slice(0, 40)}". Please write ~~~ and one of these: ${SECTIONS.join(', ')}.`,
    )
  } else if (section.name !== 'break') readFence(section, draft, report)
}

function readFence(section: Section, draft: Draft, report: Report): void {
  const { line, name } = section
  const isSecond = draft.settings !== null && draft.settings !== 'wrong'
  if (name === 'settings' && isSecond) {
    report(
      line,
      `“${draft.title}” has its settings already. Is the line "# Lift: " of the next lift missing?`,
    )
    return
  }
  const given = readYaml(section, report)
  if (!given) {
    draft.settings ??= 'wrong'
    return
  }
  if (name === 'settings') {
    draft.settings = given.parse(LiftSettings) ?? 'wrong'
    draft.lineOf = given.lineOf
  } else if (name === 'question') {
    const thing = given.parse(DocumentPrompt)
    if (thing) draft.prompts.push({ thing, line })
  } else addBlock(draft, section, given)
}

/** A picture block can contain its image data. */
function addBlock(draft: Draft, { name, line }: Section, given: YamlSection): void {
  const { data, ...value } = given.value
  const isPicture = name === 'image' && typeof data === 'string'
  const thing = given.parse(Block, { kind: name, ...(isPicture ? value : given.value) })
  if (thing) draft.blocks.push({ thing, line })
  if (thing?.kind === 'image' && isPicture) draft.pictures.push([thing.src, data])
}

function addText(draft: Draft, section: Section, report: Report): void {
  const parsed = Block.safeParse({ kind: 'text', markdown: section.body }, { error: sayIssue })
  if (parsed.success) draft.blocks.push({ thing: parsed.data, line: section.line })
  else report(section.line, parsed.error.issues.map((issue) => issue.message).join(' '))
}

/** Null if it has errors, which have been reported. */
export function toLift(draft: Draft, report: Report): DocumentLift | null {
  const { title, line, settings } = draft
  if (!settings) {
    report(
      line,
      `“${title}” has no settings. Please write ~~~settings below this line, with its schedule and message, and ~~~ below them.`,
    )
    return null
  }
  if (settings === 'wrong') return null
  const blocks = draft.blocks.map((one) => one.thing)
  const prompts = draft.prompts.map((one) => one.thing)
  const parsed = DocumentLift.safeParse({ ...settings, title, blocks, prompts }, { error: sayIssue })
  if (parsed.success) return parsed.data
  for (const issue of parsed.error.issues) report(line, `${String(issue.path[0])}: ${issue.message}`)
  return null
}
