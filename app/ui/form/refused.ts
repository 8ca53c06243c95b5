/** The refusal of this page's action, if any: the form's errors, and the version saved meanwhile. */
import type { SubmissionResult } from '@conform-to/react'
import { useActionData } from '@remix-run/react'

type Refused = SubmissionResult<string[]> & { current?: unknown }

export function useRefused(): { lastResult: SubmissionResult<string[]> | null; current: unknown } {
  const answer = useActionData() as Refused | undefined
  // Other actions of the page answer with other data.
  const refused = answer && 'initialValue' in answer ? answer : null
  return { lastResult: refused, current: refused?.current }
}
