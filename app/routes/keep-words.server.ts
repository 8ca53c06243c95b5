/** What was written into a form whose page is gone meanwhile: it is shown to be copied, for nothing else is left to hold it. */
import { data } from '@remix-run/node'
import type { KeptWords } from '#app/ui/form/kept-words.tsx'
import { wordsOf } from './say-why.server.ts'

const GONE = [403, 404, 409]
const isGone = (error: unknown): error is Response => error instanceof Response && GONE.includes(error.status)

/** `readPage`: what the form stands on; as long as that is there, the form itself says why it was refused. */
export async function keepWords(
  error: unknown,
  readPage: () => Promise<unknown>,
  { why, words }: { why: string; words: string[] },
): Promise<void> {
  if (!isGone(error)) return
  const gone = await readPage().then(
    () => null,
    (reason: unknown) => reason,
  )
  if (!isGone(gone)) return
  const kept: KeptWords = { why: gone.status === 409 ? await wordsOf(gone) : why, kept_words: words }
  throw data(kept, { status: gone.status })
}
