/** Parses a journey's file into the journey, or into errors with their lines. */
import { DocumentHead, type DocumentProblem, type JourneyDocument, MAX_DOCUMENT_LIFTS } from './document.ts'
import { readLifts, toLift } from './document-lifts.ts'
import { checkReferences, type Places } from './document-references.ts'
import { cutSections, type Report, type Section } from './document-sections.ts'
import { END, WITH_END } from './document-writing.ts'
import { type LineOf, readYaml } from './document-yaml.ts'

export type ReadDocument = { document: JourneyDocument | null; problems: DocumentProblem[]; places: Places }

export function readDocument(text: string): ReadDocument {
  const problems: DocumentProblem[] = []
  const report: Report = (line, message) => problems.push({ line, severity: 'error', message })
  const [front, ...below] = cutSections(text, report)
  const sections = below.filter((section) => !isEnd(section))
  const tooMany = sections.filter(({ kind }) => kind === 'lift')[MAX_DOCUMENT_LIFTS]
  if (tooMany) report(tooMany.line, `A journey has at most ${MAX_DOCUMENT_LIFTS} lifts.`)
  // The rest is not read: a file may have a hundred thousand lifts.
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

/** Errors in order; the same error in many lines is reported once. */
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

/** A truncated file could be read as a shorter journey, so the end marker is required. */
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
