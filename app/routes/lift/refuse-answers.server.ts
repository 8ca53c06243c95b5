/** Refused answers are returned to their author: in their fields, or to copy if no fields are left. */
import { data } from '@remix-run/node'
import { inTime, refusalOf } from '#app/api/refuse.server.ts'
import type { KeptWords } from '#app/ui/form/kept-words.tsx'
import { typedAnswers, wordsOf } from './answer-names.ts'

type Wrong = Record<string, string[]>
type Detail = string | Wrong

/** Statuses after which the page itself can no longer be shown. */
const GONE: Record<number, string> = {
  403: 'You can no longer answer this lift.',
  404: 'This lift no longer exists, or you can no longer answer it.',
}
const AT_FIELDS = [409, 422, 429, 503]

/** `wrong`: other errors. */
export async function refuseAnswers(error: unknown, formData: FormData, wrong: Wrong) {
  const refusal = refusalOf(error)
  const typed = typedAnswers(formData)
  const why = GONE[refusal.status]
  if (why) throw data<KeptWords>({ detail: why, kept_words: wordsOf(typed) }, { status: refusal.status })
  if (!AT_FIELDS.includes(refusal.status)) throw error
  const { detail } = (await refusal.json()) as { detail: Detail }
  const errors = typeof detail === 'string' ? { form: [inTime(detail, refusal)] } : { ...wrong, ...detail }
  return data({ typed, errors }, { status: refusal.status === 409 ? 422 : refusal.status })
}

export function refuseUnanswered(missing: readonly number[], formData: FormData, wrong: Wrong) {
  const unsaid = missing.map((id) => [`prompt_${id}`, ['Please answer this question.']])
  const errors: Wrong = { ...wrong, ...Object.fromEntries(unsaid) }
  return data({ typed: typedAnswers(formData), errors }, { status: 422 })
}
