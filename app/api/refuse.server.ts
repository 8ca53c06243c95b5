/** Answers a form with its errors: its own, or the reasons for which the API refused it. */
import type { Submission, SubmissionResult } from '@conform-to/react'
import { data } from '@remix-run/node'

type Detail = string | Record<string, string[]>

/** `current` is what is stored now, when somebody else saved first (409). */
export type Refused = SubmissionResult<string[]> & { current?: unknown }

export async function refuse<Schema>(submission: Submission<Schema>, error?: unknown) {
  // Adding or removing a row of a form is no mistake.
  const isWrong = submission.status === 'error'
  if (error === undefined) return data<Refused>(submission.reply(), { status: isWrong ? 400 : 200 })
  if (!(error instanceof Response)) throw error
  if (error.status === 401 || error.status === 404) throw error

  const { detail, current } = (await error.json()) as { detail: Detail; current?: unknown }
  const reply: Refused =
    typeof detail === 'string'
      ? submission.reply({ formErrors: [detail] })
      : submission.reply({ fieldErrors: namesOfForm(detail) })
  return data<Refused>({ ...reply, ...(current === undefined ? {} : { current }) }, { status: error.status })
}

/** The API's `admins.0.email` is `admins[0].email` in a form, and the parts of a logo are one file there. */
function namesOfForm(detail: Record<string, string[]>): Record<string, string[]> {
  const entries = Object.entries(detail)
  return Object.fromEntries(
    entries.map(([name, why]) => [
      name.replace(/\.(\d+)(?=\.|$)/g, '[$1]').replace(/^logo\..*/, 'logo'),
      why,
    ]),
  )
}
