/** Why the API refused, in a sentence or some; everything else is not ours to explain. */
import { refusalOf } from '#app/api/refuse.server.ts'
import { wordsOf } from '../say-why.server.ts'

const OURS = [404, 409, 422, 429, 503]
const GONE = 'It no longer exists. Someone deleted it in the meantime.'

export async function reason(error: unknown): Promise<string> {
  const refusal = refusalOf(error)
  if (!OURS.includes(refusal.status)) throw error
  if (refusal.status === 404) return GONE
  return wordsOf(refusal)
}
