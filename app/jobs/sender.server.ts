/**
 * The loop that sends lifts: claims what is due, a few at a time, and sleeps until something is.
 * Any number of processes may run it at once.
 */
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { claimDispatches, nextDueAt, releaseClaims } from '#app/domain/schedules/claims.server.ts'
import type { JobContext } from './context.ts'
import { sendLift } from './send-lift.server.ts'

const BATCH = 20
const LONGEST_SLEEP = 5_000
const SLEEP_AFTER_FAILURE = 2_000

export type Sender = {
  /** Something may be due. */
  wake(): void
  /** Sends everything that is due now. */
  drain(): Promise<void>
  /** Ends the loop: what was begun is finished, what was only claimed is given back. */
  stop(): Promise<void>
}

export function createSender(context: JobContext): Sender {
  const owner = `${hostname()}:${process.pid}:${randomUUID()}`
  let isStopping = false
  let ring = () => {}

  async function sendBatch(): Promise<number> {
    const claims = await claimDispatches(context.database, owner, BATCH)
    for (const claim of claims) {
      if (isStopping) break
      await sendLift(context, claim, owner).catch((err: unknown) =>
        context.log.error({ event: 'lift.failed', dispatch: claim.id, err }),
      )
    }
    return claims.length
  }

  const underWay = new Set<Promise<void>>()

  function drain(): Promise<void> {
    const work = sendAll().finally(() => underWay.delete(work))
    underWay.add(work)
    return work
  }

  async function sendAll(): Promise<void> {
    while (!isStopping && (await sendBatch()) > 0);
  }

  async function run(): Promise<void> {
    while (!isStopping) {
      const rung = new Promise<void>((resolve) => {
        ring = resolve
      })
      const pause = await drain()
        .then(() => untilNext(context))
        .catch((err: unknown) => {
          context.log.error({ event: 'sender.failed', err })
          return SLEEP_AFTER_FAILURE
        })
      if (isStopping) return
      const timer = setTimeout(ring, pause)
      await rung
      clearTimeout(timer)
    }
  }

  const loop = context.isIdle ? undefined : run()
  return {
    wake: () => ring(),
    drain,
    async stop() {
      isStopping = true
      ring()
      await Promise.allSettled([loop, ...underWay])
      await releaseClaims(context.database, owner).catch(() => {})
    },
  }
}

async function untilNext({ database }: JobContext): Promise<number> {
  const at = await nextDueAt(database)
  if (!at) return LONGEST_SLEEP
  return Math.min(LONGEST_SLEEP, Math.max(50, at.getTime() - Date.now()))
}
