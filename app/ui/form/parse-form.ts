/** Parses a form by its schema, in the browser as on the server, with all errors in plain words. */
import type { SubmissionResult } from '@conform-to/react'
import { parseWithZod } from '@conform-to/zod/v4'
import { configureCoercion } from '@conform-to/zod/v4/future'
import { z } from 'zod'
import { inPlainWords } from '#app/domain/text/plain-words.ts'
import { REQUIRED } from '#app/domain/text/text.ts'

// zod's compiled parser needs `eval`, which the Content-Security-Policy blocks, and reports, in a browser.
if (typeof document !== 'undefined') z.config({ jitless: true })

/**
 * Empty fields are left out, except where the schema gives an empty one a meaning: that it is required, or that an
 * optional value is cleared. Refinements of the whole form run only if no required field is left out.
 */
const { coerceFormValue } = configureCoercion({
  customize: (type) => (saysOfEmpty(type) ? (sent: unknown) => sent : null),
})

function saysOfEmpty(type: z.core.$ZodType): boolean {
  const { type: kind } = type._zod.def
  if (kind !== 'optional' && kind !== 'string') return false
  const { success, error } = z.safeParse(type, '')
  return kind === 'optional' ? success : error?.issues[0]?.message === REQUIRED
}

export function parseForm<Schema extends z.ZodType>(formData: FormData, schema: Schema) {
  const submission = parseWithZod(formData, {
    schema: coerceFormValue(schema),
    error: inPlainWords,
    disableAutoCoercion: true,
  })
  const { reply } = submission
  submission.reply = (options) => inOrderOfFields(reply(options))
  return submission
}

/** Sorts errors as the page has their fields. One that sends nothing, as an empty choice, stays behind its neighbor. */
function inOrderOfFields<Result extends SubmissionResult<string[]>>(result: Result): Result {
  const { error, fields = [] } = result
  if (!error) return result
  let last = -1
  const entries = Object.entries(error).map((entry) => {
    const at = fields.findIndex((field) => field === entry[0] || field.startsWith(`${entry[0]}[`))
    if (at >= 0) last = at
    return { at: last, entry }
  })
  const sorted = entries.sort((one, other) => one.at - other.at)
  return { ...result, error: Object.fromEntries(sorted.map(({ entry }) => entry)) }
}
