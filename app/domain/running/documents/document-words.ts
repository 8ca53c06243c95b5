/** Error messages for invalid values in our own words: authors see none of the schema library's. */
import type { z } from 'zod'
import { REQUIRED } from '#app/domain/text/text.ts'

const A_LIST = 'Please write a list here: each entry on its own line that begins with "- ".'
const SETTINGS = 'Please write its settings below it as "name: value", each two spaces further in.'
const KINDS: Readonly<Record<string, string>> = {
  string: 'Please write a text here.',
  number: 'Please write a number here, such as 3.',
  int: 'Please write a whole number here, such as 3.',
  boolean: 'Please write true or false here.',
  array: A_LIST,
  object: SETTINGS,
}

/** Messages for issues without a message in the schema. */
export function sayIssue(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return KINDS[issue.expected] ?? 'This value is not allowed here.'
    case 'too_big':
      return `Please ${amount(issue.origin, 'at most', Number(issue.maximum))}.`
    case 'too_small':
      return `Please ${amount(issue.origin, issue.inclusive === false ? 'more than' : 'at least', Number(issue.minimum))}.`
    case 'invalid_value':
      return sayOneOf(issue.values)
    case 'invalid_union':
      return sayUnion(issue)
    case 'not_multiple_of':
      return `Please write a multiple of ${issue.divisor}.`
    case 'invalid_format':
      return 'This is not written correctly.'
    default:
      return 'This value is not allowed here.'
  }
}

/** Names a list given instead of text; null where the schema's message is right. */
export function sayWrongKind(issue: z.core.$ZodIssue, value: unknown): string | null {
  if (issue.code !== 'invalid_type') return null
  const kind = String(issue.expected)
  if (typeof value === 'object' && kind !== 'array' && kind !== 'object')
    return `${KINDS[kind] ?? 'Please write one value here.'} A list or more settings are not allowed here.`
  if (kind === 'string' && issue.message === REQUIRED) return 'Please put this value in quotes: "...".'
  return null
}

export function sayMissing(issue: z.core.$ZodIssue): string {
  const missing = 'This setting is missing here.'
  return issue.code === 'invalid_value' || issue.code === 'invalid_union'
    ? `${missing} ${issue.message}`
    : missing
}

function amount(origin: string, bound: string, limit: number): string {
  if (origin === 'string') return `use ${bound} ${limit} characters`
  if (origin === 'array' || origin === 'set')
    return `give ${bound} ${limit} ${limit === 1 ? 'entry' : 'entries'}`
  return `write a number of ${bound} ${limit}`
}

const sayOneOf = (values: readonly unknown[]) =>
  values.length === 1
    ? `Please write ${String(values[0])} here.`
    : `Please write one of these: ${values.join(', ')}.`

type Union = { errors: readonly (readonly z.core.$ZodIssue[])[]; options?: unknown }

function sayUnion(issue: Union): string {
  if (Array.isArray(issue.options) && issue.options.length > 0) return sayOneOf(issue.options)
  return fromFirst(issue)
}

const fromFirst = ({ errors }: Union) => errors[0]?.[0]?.message ?? 'This value is not allowed here.'
