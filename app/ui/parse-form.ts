/** Reads a form by its schema, in the browser as on the server, with every mistake said in plain words. */
import { parseWithZod } from '@conform-to/zod/v4'
import { z } from 'zod'
import { inPlainWords } from '#app/domain/plain-words.ts'

// Its faster way needs `eval`, which the Content-Security-Policy refuses and reports.
z.config({ jitless: true })

export const parseForm = <Schema extends z.ZodType>(formData: FormData, schema: Schema) =>
  parseWithZod(formData, { schema, error: inPlainWords })
