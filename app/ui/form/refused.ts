/** What the action of this page refused, if it did: for the form, and what was saved meanwhile. */
import type { SubmissionResult } from '@conform-to/react'
import { useActionData } from '@remix-run/react'

type Refused = SubmissionResult<string[]> & { current?: unknown }

export function useRefused(): { lastResult: SubmissionResult<string[]> | null; current: unknown } {
  const answer = useActionData() as Refused | undefined
  // Pages with more than one thing to do answer those with something else.
  const refused = answer && 'initialValue' in answer ? answer : null
  return { lastResult: refused, current: refused?.current }
}
