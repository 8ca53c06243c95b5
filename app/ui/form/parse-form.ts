/** Reads a form by its schema, in the browser as on the server, with every mistake said in plain words. */
import { parseWithZod } from '@conform-to/zod/v4'
import { configureCoercion } from '@conform-to/zod/v4/future'
import { z } from 'zod'
import { inPlainWords } from '#app/domain/text/plain-words.ts'
import { REQUIRED } from '#app/domain/text/text.ts'

// Its faster way needs `eval`, which the Content-Security-Policy refuses in a browser, and reports.
if (typeof document !== 'undefined') z.config({ jitless: true })

/**
 * An emptied field is left out, except where its schema says what an empty one means: that it is required, for one.
 * What the whole form is asked besides would only be asked once nothing is left out any more.
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

export const parseForm = <Schema extends z.ZodType>(formData: FormData, schema: Schema) =>
  parseWithZod(formData, {
    schema: coerceFormValue(schema),
    error: inPlainWords,
    disableAutoCoercion: true,
  })
