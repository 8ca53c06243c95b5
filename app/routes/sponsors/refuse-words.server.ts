/** A sponsor's words that were not taken stay with the sponsor: in their field, or to copy where the learner is gone. */
import { data } from '@remix-run/node'
import { inTime, refusalOf } from '#app/api/refuse.server.ts'
import { wordsOf } from '#app/routes/say-why.server.ts'
import type { KeptWords } from '#app/ui/form/kept-words.tsx'

const AT_FIELD = [409, 422, 429, 503]
const WHY_GONE = 'You are no longer this learner’s sponsor.'

export async function refuseWords(error: unknown, text: string) {
  const refusal = refusalOf(error)
  const { status } = refusal
  if (status === 404 && text.trim() !== '')
    throw data<KeptWords>({ why: WHY_GONE, kept_words: [text] }, { status })
  if (!AT_FIELD.includes(status)) throw error
  const problem = inTime(await wordsOf(refusal), refusal)
  return data({ problem, text }, { status: status === 409 ? 422 : status })
}
