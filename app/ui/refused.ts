/** What the action of this page refused, if it did: for the form, and what was saved meanwhile. */
import type { SubmissionResult } from '@conform-to/react'
import { useActionData } from '@remix-run/react'

type Refused = SubmissionResult<string[]> & { current?: unknown }

export function useRefused(): { lastResult: SubmissionResult<string[]> | null; current: unknown } {
  const refused = useActionData() as Refused | undefined
  return { lastResult: refused ?? null, current: refused?.current }
}
