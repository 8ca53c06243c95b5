/** A journey's file, read: the journey, or each thing that is wrong with its line. */
import type { z } from 'zod'
import { Block } from '../../lifts/blocks.ts'
import {
  DocumentHead,
  DocumentLift,
  type DocumentProblem,
  DocumentPrompt,
  type JourneyDocument,
  MAX_DOCUMENT_LIFTS,
} from './document.ts'
import { checkReferences, type Places } from './document-references.ts'
import { cutSections, type Report, type Section } from './document-sections.ts'
import { sayIssue } from './document-words.ts'
import { END, WITH_END } from './document-writing.ts'
import { type LineOf, readYaml, type YamlSection } from './document-yaml.ts'

export type ReadDocument = { document: JourneyDocument | null; problems: DocumentProblem[]; places: Places }

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

export function readDocument(text: string): ReadDocument {
  const problems: DocumentProblem[] = []
  const report: Report = (line, message) => problems.push({ line, severity: 'error', message })
  const [front, ...below] = cutSections(text, report)
  const sections = below.filter((section) => !isEnd(section))
  const tooMany = sections.filter(({ kind }) => kind === 'lift')[MAX_DOCUMENT_LIFTS]
  if (tooMany) report(tooMany.line, `A journey has at most ${MAX_DOCUMENT_LIFTS} lifts.`)
  // What comes after is not read: a file may have a hundred thousand.
  const rest = tooMany ? sections.slice(0, sections.indexOf(tooMany)) : sections
  const isFront = front?.kind === 'front'
  const head = isFront ? readHead(front, report) : null
  if (head?.hasEnd) requireEnd(below, text.split(/\r\n?|\n/).length, report)
  const drafts = readLifts(rest, report)
  const places: Places = {
    head: head?.lineOf ?? (() => front?.line ?? 1),
    lifts: drafts.map(({ line, lineOf, blocks, prompts }) => ({
      line,
      settings: lineOf,
      blocks: blocks.map((one) => one.line),
      prompts: prompts.map((one) => one.line),
    })),
  }
  const read = drafts.map((draft) => toLift(draft, report))
  if (head) checkReferences(head.value, read, places, report)
  const lifts = read.filter((lift) => lift !== null)
  const pictures = new Map(drafts.flatMap((draft) => draft.pictures))
  const along = pictures.size > 0 && { pictures }
  return {
    document: head && problems.length === 0 ? { head: head.value, lifts, ...along } : null,
    problems: gather(problems),
    places,
  }
}

const MAX_ALIKE = 3
const MAX_PROBLEMS = 50

/** In their order; what is wrong in many lines in the same way is said once. */
function gather(problems: readonly DocumentProblem[]): DocumentProblem[] {
  const alike = Map.groupBy(problems, (one) => one.message)
  const said = [...alike.values()].flatMap((all) => {
    const [first, ...others] = all.toSorted((one, other) => one.line - other.line)
    if (!first || all.length <= MAX_ALIKE) return all
    const lines = others.slice(0, 5).map(({ line }) => line)
    const more = others.length > lines.length ? ` and ${others.length - lines.length} more` : ''
    return [{ ...first, message: `${first.message} The same in line ${lines.join(', ')}${more}.` }]
  })
  said.sort((one, other) => one.line - other.line)
  const rest = said.slice(MAX_PROBLEMS)
  if (!rest[0]) return said
  const message = `${rest.length} more things are wrong from here on.`
  return [...said.slice(0, MAX_PROBLEMS), { ...rest[0], message }]
}

type Head = { value: DocumentHead; lineOf: LineOf; hasEnd: boolean }

function readHead(front: Section, report: Report): Head | null {
  const given = readYaml(front, report)
  if (!given) return null
  const { liftwell, ...settings } = given.value
  const hasEnd = liftwell === WITH_END
  if (liftwell !== 1 && !hasEnd)
    report(
      given.lineOf(['liftwell']),
      `Please write "liftwell: 1" ${liftwell === undefined ? 'below this line' : 'here'}: it says which kind of file this is.`,
    )
  const value = given.parse(DocumentHead, settings)
  return value && { value, lineOf: given.lineOf, hasEnd }
}

const isEnd = ({ kind, name }: Section) => kind === 'fence' && name === END

/** Without its last part a file that was cut off on its way could read as a shorter journey. */
function requireEnd(sections: readonly Section[], lastLine: number, report: Report): void {
  const end = sections.find(isEnd)
  if (!end)
    report(
      lastLine,
      `The file is cut off here: its last part, ~~~${END}, is missing. Please choose the whole file. If nothing else is missing, write ~~~${END} and ~~~ below this line.`,
    )
  else if (end !== sections.at(-1))
    report(end.line, `More comes below ~~~${END}. Please move these two lines to the end of the file.`)
}

function readLifts(sections: readonly Section[], report: Report): Draft[] {
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

/** A picture may have itself with it. */
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

function toLift(draft: Draft, report: Report): DocumentLift | null {
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
