/** What was edited is not there any more: its form comes back with what was typed. */
import type { Submission } from '@conform-to/react'
import { data } from '@remix-run/node'
import { refuse } from '#app/api/refuse.server.ts'

export async function refuseGone<Schema>(submission: Submission<Schema>, error: unknown, what: string) {
  if (!(error instanceof Response) || error.status !== 404) return refuse(submission, error)
  const why = `${what} What you typed is still here.`
  return data(submission.reply({ formErrors: [why] }), { status: 404 })
}
