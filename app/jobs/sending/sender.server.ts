/** The loop that sends lifts; each channel has its own messages in flight. Any number of processes may run it. */
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { releaseClaims } from '#app/domain/sending/claims.server.ts'
import type { JobContext } from '#app/jobs/context.ts'
import { type Begun, createBeginning } from './begin-due.server.ts'

const SHORTEST_SLEEP = 50
/** Messages that end within this time free their room together: starting many at once costs little more than one. */
const GATHERING = 20
const SLEEP_AFTER_FAILURE = 2_000

export type Sender = {
  wake(): void
  drain(): Promise<void>
  /** Ends the loop: finishes what was begun, and gives back what was only claimed. */
  stop(): Promise<void>
}

export function createSender(context: JobContext): Sender {
  const { database, log } = context
  const sender = `${hostname()}:${process.pid}:${randomUUID()}`
  const stopping = new AbortController()
  let ring = () => {}
  const { begin, inFlight } = createBeginning(context, {
    sender,
    signal: stopping.signal,
    ended: () => ring(),
  })

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const rung = new Promise<void>((resolve) => {
        ring = resolve
      })
      const gathered = sleep(GATHERING)
      const { count, pause } = await begin().catch((err: unknown): Begun => {
        log.error({ event: 'sender.failed', err })
        return { count: 0, pause: SLEEP_AFTER_FAILURE }
      })
      if (count === 0) {
        const timer = setTimeout(ring, Math.max(SHORTEST_SLEEP, pause))
        await rung
        clearTimeout(timer)
      }
      await gathered
    }
  }

  async function drain(): Promise<void> {
    while (!stopping.signal.aborted) {
      const { count } = await begin()
      const works = inFlight()
      if (works.length > 0) await Promise.race(works)
      else if (count === 0) return
    }
  }

  const loop = context.isIdle ? undefined : run()
  return {
    wake: () => ring(),
    drain,
    async stop() {
      stopping.abort()
      ring()
      await loop
      await Promise.all(inFlight())
      await releaseClaims(database, `${sender}/`).catch(() => {})
    },
  }
}
