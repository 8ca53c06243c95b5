/** The reason for a refusal of the API, in one or more sentences; a 403 has its own screen. */
import { refusalOf } from '#app/api/refuse.server.ts'
import { wordsOf } from '../say-why.server.ts'

const GONE = 'It no longer exists. Someone deleted it in the meantime.'

export async function reason(error: unknown): Promise<string> {
  const refusal = refusalOf(error)
  if (refusal.status < 400 || refusal.status === 403) throw error
  if (refusal.status === 404) return GONE
  return wordsOf(refusal)
}
