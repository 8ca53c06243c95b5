/** Reads a form by its schema, in the browser as on the server, with every mistake said in plain words. */
import { parseWithZod } from '@conform-to/zod/v4'
import { configureCoercion } from '@conform-to/zod/v4/future'
import { z } from 'zod'
import { inPlainWords } from '#app/domain/text/plain-words.ts'

// Its faster way needs `eval`, which the Content-Security-Policy refuses in a browser, and reports.
if (typeof document !== 'undefined') z.config({ jitless: true })

/** An emptied field is left out, except where its schema says what an empty one means. */
const { coerceFormValue } = configureCoercion({
  customize: (type) =>
    type._zod.def.type === 'optional' && z.safeParse(type, '').success ? (sent: unknown) => sent : null,
})

export const parseForm = <Schema extends z.ZodType>(formData: FormData, schema: Schema) =>
  parseWithZod(formData, {
    schema: coerceFormValue(schema),
    error: inPlainWords,
    disableAutoCoercion: true,
  })
