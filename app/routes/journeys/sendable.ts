import type { Journey } from '#app/domain/journeys/journey.ts'
import { isRunning } from '#app/domain/journeys/journey-status.ts'
import type { Lift } from '#app/domain/lifts/lift.ts'

/** Ready lifts of a running journey can be sent. */
export const isSendable = ({ status }: Pick<Journey, 'status'>, lift: Pick<Lift, 'status'>): boolean =>
  isRunning(status) && lift.status === 'ready'
