/** Suggestions for improving a journey before anybody gets it, with the lines of its file. */

import { MAX_SEGMENTS } from '../../journeys/segments.ts'
import {
  messageSegments,
  NO_SPONSOR,
  namesSponsor,
  TEMPLATE_FIELDS,
  unknownFields,
} from '../../journeys/template.ts'
import { asksTwice, twoInOne } from '../../lifts/asks-twice.ts'
import type { DocumentLift, DocumentProblem, JourneyDocument } from './document.ts'
import type { Places } from './document-references.ts'

const WORDS_A_MINUTE = 200
const SECONDS_A_QUESTION = 20
/** Alternative text that is only a file name. */
const POOR_ALT = /^(image|picture|photo|img|untitled|screenshot)?[\s_-]*\d*(\.\w{3,4})?$/i

type Place = Places['lifts'][number]
type Say = (line: number, message: string, severity?: DocumentProblem['severity']) => void

export function lintDocument({ head, lifts }: JourneyDocument, places: Places): DocumentProblem[] {
  const problems: DocumentProblem[] = []
  const say: Say = (line, message, severity = 'warning') => problems.push({ line, severity, message })
  for (const [index, lift] of lifts.entries()) {
    const place = places.lifts[index]
    if (!place) continue
    lintMessage(lift, head.name, place, say)
    lintContent(lift, place, say)
  }
  const measured = new Set([
    ...lifts.flatMap((lift) => lift.prompts.flatMap((prompt) => prompt.objectives)),
    ...head.assessments.flatMap(({ items }) => items.flatMap((item) => item.objective ?? [])),
  ])
  for (const [index, { code }] of head.objectives.entries())
    if (!measured.has(code))
      say(places.head(['objectives', index]), `No question measures the objective “${code}”.`)
  return problems.sort((one, other) => one.line - other.line)
}

function lintMessage(
  { title, sms_text }: DocumentLift,
  journey: string,
  { settings }: Place,
  say: Say,
): void {
  const line = settings(['sms_text'])
  const { segments } = messageSegments(sms_text, { journey, lift: title })
  if (segments > MAX_SEGMENTS)
    say(
      line,
      `The message of “${title}” is as long as ${segments} texts; at most ${MAX_SEGMENTS} are sent. Please shorten it.`,
      'error',
    )
  for (const field of unknownFields(sms_text))
    say(
      line,
      `{{${field}}} is not a field and is sent as it is. The fields are: ${TEMPLATE_FIELDS.join(', ')}.`,
    )
  if (namesSponsor(sms_text))
    say(line, `Learners without a sponsor read “${NO_SPONSOR}” in place of {{sponsor}}.`)
}

function lintContent(lift: DocumentLift, place: Place, say: Say): void {
  const minutes = readingMinutes(lift)
  if (minutes > lift.est_minutes + 1)
    say(
      place.settings(['est_minutes']),
      `“${lift.title}” takes about ${minutes} minutes to read and answer, not ${lift.est_minutes}.`,
    )
  for (const [at, block] of lift.blocks.entries())
    if (block.kind === 'image' && POOR_ALT.test(block.alt))
      say(place.blocks[at] ?? place.line, `“${block.alt}” does not say what the picture shows.`)
  for (const [at, { text }] of lift.prompts.entries())
    if (asksTwice(text)) say(place.prompts[at] ?? place.line, twoInOne(text))
}

function readingMinutes(lift: DocumentLift): number {
  const texts = lift.blocks.flatMap((block) => ('markdown' in block ? [block.markdown] : []))
  const questions = lift.prompts.flatMap((prompt) => [
    prompt.text,
    prompt.help,
    ...prompt.options.map((one) => one.text),
  ])
  const words = [...texts, ...questions].join(' ').split(/\s+/).filter(Boolean).length
  return Math.ceil(words / WORDS_A_MINUTE + (lift.prompts.length * SECONDS_A_QUESTION) / 60)
}
