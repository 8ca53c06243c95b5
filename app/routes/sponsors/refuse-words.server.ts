/** A sponsor's refused words stay in their field; if the learner is gone, they are returned with the refusal. */
import { data } from '@remix-run/node'
import { inTime, refusalOf } from '#app/api/refuse.server.ts'
import { wordsOf } from '#app/routes/say-why.server.ts'

const AT_FIELD = [409, 422, 429, 503]

export async function refuseWords(error: unknown, text: string) {
  const refusal = refusalOf(error)
  const { status } = refusal
  if (!AT_FIELD.includes(status)) throw error
  const problem = inTime(await wordsOf(refusal), refusal)
  return data({ problem, text }, { status: status === 409 ? 422 : status })
}
