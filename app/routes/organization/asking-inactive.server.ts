/** Whether a form makes a tenant or sub-tenant inactive, which needs a confirmation. */
import type { Submission } from '@conform-to/react'
import { data } from '@remix-run/node'
import { hasFile } from '#app/api/refuse.server.ts'

type Kept = { status?: 'active' | 'inactive' | undefined; lock_version?: number | undefined }

/** The question, or null. A stale form needs none: its save is refused with both versions. */
export async function askInactive(
  formData: FormData,
  submission: Submission<Kept>,
  read: () => Promise<Kept>,
) {
  if (submission.status !== 'success' || formData.get('confirmed') === 'inactive') return null
  const { status, lock_version } = submission.value
  if (status !== 'inactive') return null
  const stored = await read()
  const isStale = lock_version !== undefined && lock_version !== stored.lock_version
  return stored.status === 'active' && !isStale
    ? data({ ...submission.reply(), asks_inactive: true, had_file: hasFile(submission) })
    : null
}
