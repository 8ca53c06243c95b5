import { setImmediate } from 'node:timers/promises'

const MAX_MS_AT_A_TIME = 20

/** Returns a function that a long loop awaits at each step: from time to time it yields to the event loop. */
export function yieldingToOthers(): () => Promise<void> {
  let rested = performance.now()
  return async () => {
    if (performance.now() - rested < MAX_MS_AT_A_TIME) return
    await setImmediate()
    rested = performance.now()
  }
}
