/** Messages for invalid settings whose schema has none of its own. */
import type { z } from 'zod'

export function settingInWords(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.map(String).join(', ')}`
  if (issue.code !== 'invalid_format') return undefined
  if (issue.format === 'email') return 'must be an e-mail address'
  if (issue.format !== 'url') return undefined
  const isDatabase = issue.path?.some((name) => String(name).startsWith('DATABASE_'))
  return `must be a whole address, like ${isDatabase ? 'postgres://user:password@host/database' : 'https://learn.example.com'}`
}
