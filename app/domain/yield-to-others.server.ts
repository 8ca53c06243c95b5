import { setImmediate } from 'node:timers/promises'

const MAX_MS_AT_A_TIME = 20

/** Returns what a long loop awaits at each step: from time to time, others of this process are answered. */
export function yieldingToOthers(): () => Promise<void> {
  let rested = performance.now()
  return async () => {
    if (performance.now() - rested < MAX_MS_AT_A_TIME) return
    await setImmediate()
    rested = performance.now()
  }
}
