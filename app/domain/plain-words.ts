/** What is wrong with a value, where its schema has no words of its own. */
import type { z } from 'zod'
import { REQUIRED } from './text.ts'

type Issue = z.core.$ZodRawIssue

export function inPlainWords(issue: Issue): string {
  const { input } = issue
  if (input === undefined || input === null || input === '') return REQUIRED
  if (issue.code === 'invalid_type')
    return ['number', 'int'].includes(issue.expected) ? numberWords(issue) : 'Please check this'
  if (issue.code === 'too_big') return sizeWords(issue.origin, 'most', issue.maximum)
  if (issue.code === 'too_small') return sizeWords(issue.origin, 'least', issue.minimum)
  return issue.code === 'invalid_value' ? 'Please choose one of these' : 'Please check this'
}

const numberWords = ({ input }: Issue): string =>
  typeof input === 'number' && Number.isFinite(input)
    ? 'Please enter a whole number'
    : 'Please enter a number'

function sizeWords(origin: string, bound: 'most' | 'least', size: number | bigint): string {
  const limit = size.toLocaleString('en-US')
  if (origin === 'string') return `Please use at ${bound} ${limit} characters`
  if (origin === 'array') return `Please choose at ${bound} ${limit}`
  return `Please enter at ${bound} ${limit}`
}
