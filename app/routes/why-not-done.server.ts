/** The toast about something that was not done. The second request of a double press finds it done, which is not an error. */
import { isNotOffered } from '#app/api/not-offered.server.ts'
import { isAway } from '#app/api/refuse.server.ts'
import { reason } from './journeys/reason.server.ts'

export const isGone = (error: unknown): boolean =>
  error instanceof Response && error.status === 404 && !isNotOffered(error)

type Gone = 'deleted' | 'erased' | 'removed' | 'revoked' | 'restored'
type Done = Gone | 'launched' | 'paused' | 'resumed' | 'completed' | 'archived'
export const already = (done: Done) => ({ title: `Already ${done}`, variant: 'info' }) as const

export async function whyNotDone(error: unknown, done: Gone) {
  if (isGone(error)) return already(done)
  const message = await reason(error)
  // After a failure it may have been done nevertheless.
  const title = isAway(error) ? 'Error' : `Not ${done}`
  return { title, message, variant: 'warning' } as const
}
