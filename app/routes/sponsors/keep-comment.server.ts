/** A comment on an answer that its writer can no longer score: no page is left to show it in its field. */
import { data } from '@remix-run/node'
import { wordsOf } from '#app/routes/say-why.server.ts'
import type { KeptWords } from '#app/ui/form/kept-words.tsx'

const GONE = [403, 404, 409]
const WHY_GONE = 'You can no longer score this answer.'

/** `page`: what the form stands on; as long as it is there, the form says itself why it was refused. */
export async function keepComment(error: unknown, page: Promise<unknown>, comment: string): Promise<never> {
  const gone = await page.then(
    () => null,
    (why: unknown) => why,
  )
  if (!(gone instanceof Response) || !GONE.includes(gone.status)) throw error
  const why = gone.status === 409 ? await wordsOf(gone) : WHY_GONE
  throw data<KeptWords>({ why, kept_words: comment.trim() === '' ? [] : [comment] }, { status: gone.status })
}
