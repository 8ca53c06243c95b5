/** What is said of something that was not done: the second of two presses finds it done, and nothing is wrong. */
import { isNotOffered } from '#app/api/not-offered.server.ts'
import { reason } from './journeys/reason.server.ts'

export const isGone = (error: unknown): boolean =>
  error instanceof Response && error.status === 404 && !isNotOffered(error)

type Gone = 'deleted' | 'erased' | 'removed' | 'revoked' | 'restored'
type Done = Gone | 'launched' | 'paused' | 'resumed' | 'completed' | 'archived'
export const already = (done: Done) => ({ title: `Already ${done}`, variant: 'info' }) as const

export const whyNotDone = async (error: unknown, done: Gone) =>
  isGone(error)
    ? already(done)
    : ({ title: `Not ${done}`, message: await reason(error), variant: 'warning' } as const)
