/** Answers a form with its errors: its own, or the reasons for which the API refused it. */
import type { Submission, SubmissionResult } from '@conform-to/react'
import { data } from '@remix-run/node'
import { isOutage } from '#app/integrations/outage.server.ts'
import { isNotOffered } from './not-offered.server.ts'

type Detail = string | Record<string, string[]>

/**
 * `current` is the stored state, when somebody else saved first (409). `had_file`: a file was sent, which the browser
 * drops when it reloads the page.
 */
export type Refused = SubmissionResult<string[]> & { current?: unknown; had_file?: true }

export async function refuse<Schema>(submission: Submission<Schema>, error?: unknown) {
  // Adding or removing a row of a form is not an error.
  const isWrong = submission.status === 'error'
  const files = hasFile(submission) ? ({ had_file: true } as const) : {}
  if (error === undefined)
    return data<Refused>({ ...submission.reply(), ...files }, { status: isWrong ? 400 : 200 })
  const refusal = refusalOf(error)
  const isGone = refusal.status === 404 && !isNotOffered(refusal)
  if (isGone || refusal.status < 400) throw error

  const { detail, current } = (await refusal.json()) as { detail: Detail; current?: unknown }
  const reply: Refused =
    typeof detail === 'string'
      ? submission.reply({ formErrors: [inTime(detail, refusal)] })
      : submission.reply({ fieldErrors: namesOfForm(detail) })
  return data<Refused>(
    { ...reply, ...files, ...(current === undefined ? {} : { current }) },
    { status: refusal.status },
  )
}

export const hasFile = ({ payload }: { payload: Record<string, unknown> }): boolean =>
  Object.values(payload).some((value) => value instanceof File && value.size > 0)

/** A refusal of the API, or a 503 as one; every other failure is thrown again. */
export function refusalOf(error: unknown): Response {
  if (error instanceof Response) return error
  const { status } = ((error as Error | null)?.cause ?? {}) as { status?: unknown }
  if (status !== 503) throw error
  return Response.json({ detail: (error as Error).message }, { status })
}

/** A temporary failure: something behind the page failed or could not be reached. */
export const isAway = (error: unknown): boolean =>
  error instanceof Response ? error.status >= 500 : isOutage(error)

/** After a temporary refusal the form can be sent again unchanged, which the message says. */
export const inTime = (detail: string, refusal: Response): string =>
  refusal.status === 429 || refusal.status >= 500 || isNotOffered(refusal)
    ? `${detail} What you typed is still here.`
    : detail

/** The API's `admins.0.email` is `admins[0].email` in a form, and the several fields of a logo are one file input there. */
function namesOfForm(detail: Record<string, string[]>): Record<string, string[]> {
  const entries = Object.entries(detail)
  return Object.fromEntries(
    entries.map(([name, why]) => [
      name.replace(/\.(\d+)(?=\.|$)/g, '[$1]').replace(/^logo\..*/, 'logo'),
      why,
    ]),
  )
}
