/** Messages in flight: a lane for each channel, and one for look-ups. */
import { CHANNELS } from '#app/domain/journeys/channel.ts'
import type { JobContext } from '#app/jobs/context.ts'

/** The limit of a channel whose carrier names none: then the carrier is our own database. */
const AT_ONCE = 100
const LOOK_UPS_AT_ONCE = 2

export const LANES = [...CHANNELS, 'look_up'] as const
export type Lane = (typeof LANES)[number]

export function createLanes({ carriers }: JobContext) {
  const inFlight: Record<Lane, Set<Promise<void>>> = {
    sms: new Set(),
    email: new Set(),
    in_app: new Set(),
    look_up: new Set(),
  }
  const circuitOf = (lane: Lane) => (lane === 'sms' || lane === 'email' ? carriers[lane].circuit : undefined)
  const limitOf = (lane: Lane) =>
    lane === 'look_up' ? LOOK_UPS_AT_ONCE : (circuitOf(lane)?.limit() ?? AT_ONCE)

  return {
    isAway: (lane: Lane) => circuitOf(lane)?.isOpen() ?? false,
    /** At most half the limit, so that some are prepared while others are with the carrier. */
    roomIn(lane: Lane) {
      const limit = limitOf(lane)
      return Math.max(0, Math.min(Math.ceil(limit / 2), limit - inFlight[lane].size))
    },
    everything: () => Object.values(inFlight).flatMap((lane) => [...lane]),
    enter(lane: Lane, work: Promise<void>, ended: () => void): void {
      const passing = work.finally(() => {
        inFlight[lane].delete(passing)
        ended()
      })
      inFlight[lane].add(passing)
    },
  }
}
