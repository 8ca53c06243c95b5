/** The fields an author may write into a message. Anything else in braces is literal text. */
import { countSegments, type SegmentCount } from './segments.ts'

export const TEMPLATE_FIELDS = ['first_name', 'journey', 'lift', 'sponsor', 'link'] as const
export type TemplateField = (typeof TEMPLATE_FIELDS)[number]
export type TemplateValues = Record<TemplateField, string>

const FIELD = /\{\{\s*(first_name|journey|lift|sponsor|link)\s*\}\}/g

export function fillTemplate(text: string, values: TemplateValues): string {
  return text.replace(FIELD, (_, name: TemplateField) => values[name])
}

/** A message always ends with its link, wherever the author left it out. */
export function withLink(text: string): string {
  const trimmed = text.trim()
  if (/\{\{\s*link\s*\}\}/.test(trimmed)) return trimmed
  return trimmed === '' ? '{{link}}' : `${trimmed} {{link}}`
}

/** Text in braces that is not a field; it is sent literally. */
export const unknownFields = (text: string): string[] =>
  [...text.matchAll(/\{\{\s*([^{}]*?)\s*\}\}/g)]
    .map((match) => match[1] ?? '')
    .filter((name) => !(TEMPLATE_FIELDS as readonly string[]).includes(name))

/** In place of {{sponsor}} for a learner who has none. */
export const NO_SPONSOR = 'your team'
export const namesSponsor = (text: string): boolean => /\{\{\s*sponsor\s*\}\}/.test(text)

export const messageWarnings = (text: string): string[] => [
  ...unknownFields(text).map((field) => `{{${field}}} is not a field and is sent as it is.`),
  ...(namesSponsor(text) ? [`Learners without a sponsor read “${NO_SPONSOR}” in place of {{sponsor}}.`] : []),
]

export const DEFAULT_MESSAGE = 'Hi {{first_name}}, your next lift "{{lift}}" is ready: {{link}}'

/** Long values for estimating the length of a message: a long name, and a link of this product. */
export const LONG_VALUES: TemplateValues = {
  first_name: 'Maximiliane',
  journey: 'x'.repeat(30),
  lift: 'x'.repeat(30),
  sponsor: 'Maximiliane',
  link: 'https://learn.example.com/lift/1000000?m=zzzzzz',
}

/** The approximate number of segments, as people's names differ in length. */
export const messageSegments = (
  template: string,
  known: Partial<TemplateValues> = {},
  complete = (filled: string) => filled,
): SegmentCount => countSegments(complete(fillTemplate(withLink(template), { ...LONG_VALUES, ...known })))
