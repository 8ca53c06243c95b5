/** The action of a form: validates and saves it, or returns it with its errors and all input. */
import type { z } from 'zod'
import { refuse } from '#app/api/refuse.server.ts'
import { readForm } from './read-form.server.ts'

/** `save` returns the response after saving; refusals of the API become field errors. */
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
