/** The action of a form: what was sent is checked and saved, or comes back with what is wrong and all that was typed. */
import type { z } from 'zod'
import { refuse } from '#app/api/refuse.server.ts'
import { readForm } from './read-form.server.ts'

/** `save` answers with where one goes on; what the API refuses is told at its field. */
export async function saveForm<Schema extends z.ZodType, Saved>(
  sent: FormData,
  schema: Schema,
  save: (value: z.output<Schema>) => Promise<Saved>,
) {
  const submission = readForm(sent, schema)
  if (submission.status !== 'success') return refuse(submission)
  try {
    return await save(submission.value)
  } catch (error) {
    return refuse(submission, error)
  }
}
