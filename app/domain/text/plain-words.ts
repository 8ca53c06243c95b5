/** Error messages for values whose schema has no message of its own. */

import { z } from 'zod'
import { figures } from '#app/domain/text/figures.ts'
import { REQUIRED } from './text.ts'

type Issue = z.core.$ZodRawIssue

export function inPlainWords(issue: Issue): string {
  const { input } = issue
  if (input === undefined || input === null || input === '') return REQUIRED
  if (issue.code === 'invalid_type') return TYPES[issue.expected] ?? 'Please check this'
  if (issue.code === 'too_big') return sizeWords(issue.origin, 'at most', issue.maximum)
  if (issue.code === 'too_small')
    return sizeWords(issue.origin, issue.inclusive === false ? 'more than' : 'at least', issue.minimum)
  return issue.code === 'invalid_value' ? 'Please choose one of these' : 'Please check this'
}

const TYPES: Record<string, string> = {
  number: 'Please enter a number',
  int: 'Please enter a whole number',
  string: 'Please enter text',
  boolean: 'Please send true or false',
  array: 'Please send a list',
  object: 'Please send an object',
}

const validatorsWords = z.locales.en().localeError

/** The same after validation, with the input: only the validator's default messages are replaced. */
export const inOurWords = (issues: readonly z.core.$ZodIssue[], sent: unknown): z.core.$ZodIssue[] =>
  issues.filter(isOfItsKind).map((found) => {
    const issue = { ...found, path: placeIn(sent, found.path) }
    const raw = { ...issue, input: valueAt(sent, issue.path) } as Issue
    // Text that was coerced to a number, or could not be.
    const asNumber = {
      ...raw,
      input: typeof raw.input === 'string' ? Number(raw.input) : Number.NaN,
    } as Issue
    const isTheirs = [raw, asNumber].some((one) => issue.message === theirsOf(one))
    return isTheirs || isMistaken(issue) ? { ...issue, message: inPlainWords(raw) } : issue
  })

/** The length of a text says nothing where a list was wanted. */
const isOfItsKind = ({ path }: z.core.$ZodIssue, nth: number, issues: readonly z.core.$ZodIssue[]): boolean =>
  !issues.slice(0, nth).some(({ code, path: earlier }) => code === 'invalid_type' && isSame(path, earlier))

const isSame = (one: PropertyKey[], other: PropertyKey[]): boolean =>
  one.length === other.length && one.every((key, nth) => key === other[nth])

/** Schemas say “required” for any value of the wrong type, which is right only for missing ones. */
const isMistaken = ({ code, message }: z.core.$ZodIssue): boolean =>
  message === REQUIRED && (code === 'invalid_type' || code === 'invalid_value')

function theirsOf(issue: Issue): string | undefined {
  const words = validatorsWords(issue)
  return typeof words === 'string' ? words : words?.message
}

/** A query has a list of one value as the value itself, without an index. */
const placeIn = (sent: unknown, path: PropertyKey[]): PropertyKey[] => {
  const [list, at] = [path.slice(0, -1), path.at(-1)]
  return at === 0 && typeof valueAt(sent, list) === 'string' ? list : path
}

const valueAt = (sent: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined,
    sent,
  )

function sizeWords(
  origin: string,
  bound: 'at most' | 'at least' | 'more than',
  size: number | bigint,
): string {
  const limit = figures(Number(size))
  if (origin === 'string') return `Please use ${bound} ${limit} characters`
  if (origin === 'array') return `Please choose ${bound} ${limit}`
  return `Please enter ${bound} ${limit}`
}
