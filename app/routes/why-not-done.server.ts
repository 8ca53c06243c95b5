/** What is said of something that was not deleted: the second of two presses finds it gone, and nothing is wrong. */
import { isNotOffered } from '#app/api/not-offered.server.ts'
import { reason } from './journeys/reason.server.ts'

export const isGone = (error: unknown): boolean =>
  error instanceof Response && error.status === 404 && !isNotOffered(error)

type Done = 'deleted' | 'erased' | 'removed' | 'revoked' | 'restored'
export const already = (done: Done) => ({ title: `Already ${done}`, variant: 'info' }) as const

export const whyNotDone = async (error: unknown, done: Done) =>
  isGone(error)
    ? already(done)
    : ({ title: `Not ${done}`, message: await reason(error), variant: 'warning' } as const)
