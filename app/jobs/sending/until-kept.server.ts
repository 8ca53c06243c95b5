import { setTimeout as sleep } from 'node:timers/promises'
import { isOutage } from '#app/integrations/outage.server.ts'

/** Shorter, in total, than the lease of a message that is being sent. */
const KEEP_TRYING_SECONDS = [0.5, 1, 2, 4, 8, 16]

/** Retries, so that a known outcome is not lost because the database is away for a moment. */
export async function untilKept(work: () => Promise<void>, signal: AbortSignal): Promise<void> {
  for (const seconds of KEEP_TRYING_SECONDS) {
    try {
      return await work()
    } catch (error) {
      if (signal.aborted || !isOutage(error)) throw error
      await sleep(seconds * 1000, undefined, { signal }).catch(() => {})
    }
  }
  await work()
}
