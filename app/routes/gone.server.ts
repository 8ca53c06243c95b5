/** The edited thing no longer exists: its form comes back with the input, as long as the page around it exists. */
import type { Submission } from '@conform-to/react'
import { data } from '@remix-run/node'
import { refuse } from '#app/api/refuse.server.ts'

/** If the page is gone as well, throws the page's own refusal, which carries the input. */
export async function requirePage(error: unknown, readPage: () => Promise<unknown>): Promise<void> {
  if (!isGone(error)) return
  await readPage().catch((reason) => {
    if (isGone(reason)) throw reason
  })
}

const GONE = [403, 404, 409]
const isGone = (error: unknown): boolean => error instanceof Response && GONE.includes(error.status)

export async function refuseGone<Schema>(submission: Submission<Schema>, error: unknown, what: string) {
  if (!(error instanceof Response) || error.status !== 404) return refuse(submission, error)
  const why = `${what} What you typed is still here.`
  return data(submission.reply({ formErrors: [why] }), { status: 404 })
}
