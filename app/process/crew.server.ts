/** Several processes on one address: who ends is replaced, and all are renewed one by one, or end together. */
import cluster, { type Worker } from 'node:cluster'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from '#app/integrations/log.server.ts'
import { JOINS, type Order, STEPS, type Step, tells } from './link.server.ts'

/** All take from one queue of the kernel: a connection handed to a process that is killed would stay open unheard. */
cluster.schedulingPolicy = cluster.SCHED_NONE

const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 10_000
/** A process that leaves ends by itself before. */
const KILL_MS = 9_700

/** The first does the work of the queue as well. */
type Place = { isFirst: boolean; worker: Worker | undefined; failures: number }

export type CrewOptions = {
  count: number
  environmentOf(isFirst: boolean): Record<string, string>
  log: Pick<Logger, 'info' | 'warn'>
}

/** A process that ended before it was ready; it has said why. */
export class EndedEarly extends Error {
  readonly code: number

  constructor(code: number) {
    super('A process ended before it was ready.')
    this.code = code
  }
}

export function startCrew({ count, environmentOf, log }: CrewOptions) {
  const places = Array.from(
    { length: count },
    (_, at): Place => ({
      isFirst: at === 0,
      worker: undefined,
      failures: 0,
    }),
  )
  const alive = new Set<Worker>()
  const reached: Record<Step, Set<Worker>> = { quiet: new Set(), closed: new Set() }
  let isEnding = false
  let renewing = Promise.resolve()

  function start(place: Place, joins: boolean): Promise<Worker> {
    cluster.setupPrimary({ args: joins ? [JOINS] : [] })
    const worker = cluster.fork(environmentOf(place.isFirst))
    alive.add(worker)
    // One that has just ended cannot be told anything.
    worker.on('error', () => {})
    worker.on('message', (message) => {
      for (const step of STEPS) if (tells(message, step)) reached[step].add(worker)
      if (isEnding) tellWhatAllReached()
    })
    worker.once('exit', (code, signal) => {
      alive.delete(worker)
      if (isEnding) return tellWhatAllReached()
      if (place.worker !== worker) return
      place.worker = undefined
      log.warn({ event: 'process.ended', ended_pid: worker.process.pid, code, signal })
      void replace(place)
    })
    return new Promise((resolve, reject) => {
      worker.on('message', (message) => {
        if (!tells(message, 'ready')) return
        log.info({ event: 'process.ready', ready_pid: worker.process.pid, first: place.isFirst })
        place.failures = 0
        resolve(worker)
      })
      worker.once('exit', (code) => reject(new EndedEarly(code || 1)))
    })
  }

  async function replace(place: Place): Promise<void> {
    while (!isEnding && place.worker === undefined) {
      try {
        const worker = await start(place, true)
        if (worker.isConnected()) place.worker = worker
      } catch {
        place.failures += 1
        await pause(Math.min(FIRST_PAUSE_MS * 2 ** place.failures, LONGEST_PAUSE_MS))
      }
    }
  }

  async function renewAll(): Promise<void> {
    for (const place of places) {
      const before = place.worker
      if (isEnding || !before) continue
      try {
        place.worker = await start(place, true)
        await dismiss(before, 'leave')
      } catch {
        log.warn({ event: 'process.not-renewed', pid_that_stays: before.process.pid })
        return
      }
    }
  }

  /** Whoever is not ready yet has nobody to answer, and ends at once. */
  function tellWhatAllReached(): void {
    for (const step of STEPS)
      if ([...alive].every((worker) => reached[step].has(worker)))
        for (const worker of alive) order(worker, `all ${step}`)
  }

  return {
    /** The first alone, which finds out whether anything can start; the others join it. */
    async open(): Promise<void> {
      for (const place of places.slice(0, 1)) place.worker = await start(place, false)
      const [, ...others] = places
      await Promise.all(
        others.map(async (place) => {
          place.worker = await start(place, true)
        }),
      )
    },
    /** One after the other, each only once its successor is ready. */
    renew(): void {
      renewing = renewing.then(renewAll)
    },
    async end(): Promise<void> {
      isEnding = true
      await Promise.all([...alive].map((worker) => dismiss(worker, 'end')))
    },
  }
}

async function dismiss(worker: Worker, how: 'leave' | 'end'): Promise<void> {
  if (worker.isDead()) return
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
  order(worker, how)
  const killing = setTimeout(() => worker.process.kill('SIGKILL'), KILL_MS)
  await ended
  clearTimeout(killing)
}

const order = (worker: Worker, what: Order['liftwell']) =>
  void (worker.isConnected() && worker.send({ liftwell: what } satisfies Order, () => {}))
