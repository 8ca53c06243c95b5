/** A journey's file, read: the journey, or each thing that is wrong with its line. */
import type { z } from 'zod'
import { Block } from '../lifts/blocks.ts'
import {
  DocumentHead,
  DocumentLift,
  type DocumentProblem,
  DocumentPrompt,
  type JourneyDocument,
  MAX_DOCUMENT_LIFTS,
} from './document.ts'
import { cutSections, type Report, type Section } from './document-sections.ts'
import { readYaml } from './document-yaml.ts'

/** Where each thing of the document stands, for what is said about it later. */
export type Places = {
  head: number
  lifts: { line: number; blocks: number[]; prompts: number[] }[]
}
export type ReadDocument = { document: JourneyDocument | null; problems: DocumentProblem[]; places: Places }

/** A lift while its sections are read. */
type Draft = {
  title: string
  line: number
  settings: Settings | 'wrong' | null
  blocks: Placed<Block>[]
  prompts: Placed<DocumentPrompt>[]
}
type Placed<Thing> = { thing: Thing; line: number }
type Settings = z.infer<typeof LiftSettings>

const LiftSettings = DocumentLift.omit({ title: true, blocks: true, prompts: true })
const SECTIONS = ['settings', 'question', 'image', 'video', 'audio', 'file', 'link', 'callout', 'break']

export function readDocument(text: string): ReadDocument {
  const problems: DocumentProblem[] = []
  const report: Report = (line, message) => problems.push({ line, severity: 'error', message })
  const [front, ...rest] = cutSections(text, report)
  const isFront = front?.kind === 'front'
  const head = isFront ? readHead(front, report) : null
  const drafts = readLifts(isFront || !front ? rest : [front, ...rest], report)
  const places: Places = {
    head: front?.line ?? 1,
    lifts: drafts.map(({ line, blocks, prompts }) => ({
      line,
      blocks: blocks.map((one) => one.line),
      prompts: prompts.map((one) => one.line),
    })),
  }
  if (drafts.length > MAX_DOCUMENT_LIFTS)
    report(drafts[MAX_DOCUMENT_LIFTS]?.line ?? 1, `A journey has at most ${MAX_DOCUMENT_LIFTS} lifts.`)
  const lifts = drafts.flatMap((draft) => toLift(draft, report))
  if (head) checkReferences({ head, lifts }, places, report)
  problems.sort((one, other) => one.line - other.line)
  return { document: head && problems.length === 0 ? { head, lifts } : null, problems, places }
}

function readHead(front: Section, report: Report): DocumentHead | null {
  const given = readYaml(front, report)
  if (!given) return null
  const { liftwell, ...settings } = given.value
  if (liftwell !== 1) report(front.line, 'This is no journey of this version: "liftwell: 1" is missing.')
  return given.parse(DocumentHead, settings)
}

function readLifts(sections: readonly Section[], report: Report): Draft[] {
  const drafts: Draft[] = []
  for (const section of sections) {
    const draft = drafts.at(-1)
    if (section.kind === 'lift')
      drafts.push({ title: section.name, line: section.line, settings: null, blocks: [], prompts: [] })
    else if (!draft) report(section.line, 'This stands before the first lift: "# Lift: " and its title.')
    else readPart(section, draft, report)
  }
  return drafts
}

function readPart(section: Section, draft: Draft, report: Report): void {
  if (section.kind === 'text') addText(draft, section, report)
  else if (!SECTIONS.includes(section.name))
    report(section.line, `There is no section "~~~${section.name}": ${SECTIONS.join(', ')}.`)
  else if (section.name !== 'break') readFence(section, draft, report)
}

function readFence(section: Section, draft: Draft, report: Report): void {
  const { line, name } = section
  const given = readYaml(section, report)
  if (!given) return
  if (name === 'settings') {
    if (draft.settings) report(line, `"${draft.title}" has its settings already.`)
    else draft.settings = given.parse(LiftSettings) ?? 'wrong'
  } else if (name === 'question') {
    const thing = given.parse(DocumentPrompt)
    if (thing) draft.prompts.push({ thing, line })
  } else {
    const thing = given.parse(Block, { kind: name, ...given.value })
    if (thing) draft.blocks.push({ thing, line })
  }
}

function addText(draft: Draft, section: Section, report: Report): void {
  const parsed = Block.safeParse({ kind: 'text', markdown: section.body })
  if (parsed.success) draft.blocks.push({ thing: parsed.data, line: section.line })
  else report(section.line, parsed.error.issues.map((issue) => issue.message).join(' '))
}

function toLift(draft: Draft, report: Report): DocumentLift[] {
  const { title, line, settings } = draft
  if (!settings) {
    report(line, `"${title}" has no settings: a section ~~~settings with its schedule and message.`)
    return []
  }
  if (settings === 'wrong') return []
  const blocks = draft.blocks.map((one) => one.thing)
  const parsed = DocumentLift.safeParse({
    ...settings,
    title,
    blocks,
    prompts: draft.prompts.map((one) => one.thing),
  })
  if (parsed.success) return [parsed.data]
  for (const issue of parsed.error.issues) report(line, `${issue.path.join('.')}: ${issue.message}`)
  return []
}

/** Codes and numbers lead somewhere, and no lift waits for itself or a later one. */
function checkReferences({ head, lifts }: JourneyDocument, places: Places, report: Report): void {
  const known = head.objectives.map((objective) => objective.code)
  const twice = known.find((code, index) => known.indexOf(code) < index)
  if (twice) report(places.head, `Two objectives have the code "${twice}".`)
  const requireKnown = (codes: readonly string[], line: number) => {
    for (const code of codes)
      if (!known.includes(code)) report(line, `There is no objective "${code}" in the front matter.`)
  }
  const measured = head.assessments.flatMap(({ items }) => items.flatMap((item) => item.objective ?? []))
  requireKnown(measured, places.head)
  for (const [index, lift] of lifts.entries()) {
    const line = places.lifts[index]?.line ?? 1
    requireKnown(lift.objectives, line)
    for (const [at, prompt] of lift.prompts.entries())
      requireKnown(prompt.objectives, places.lifts[index]?.prompts[at] ?? line)
    if (lift.schedule.kind === 'after_lift' && lift.schedule.lift > index)
      report(line, `"${lift.title}" waits for lift ${lift.schedule.lift}, which does not stand before it.`)
  }
}
