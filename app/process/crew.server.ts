/** Several worker processes on one port: a worker that ends is replaced; all are renewed one by one, or end together. */
import cluster, { type Worker } from 'node:cluster'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from '#app/integrations/log.server.ts'
import { JOINS, type Order, STEPS, type Step, tells } from './link.server.ts'

/** All accept from one queue in the kernel: a connection handed to a worker that is then killed would hang unanswered. */
cluster.schedulingPolicy = cluster.SCHED_NONE

const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 10_000
/** A leaving worker ends by itself before this. */
const KILL_MS = 9_700

/** The first worker also runs the job queue. */
type Place = { isFirst: boolean; worker: Worker | undefined; failures: number }

export type CrewOptions = {
  count: number
  environmentOf(isFirst: boolean): Record<string, string>
  log: Pick<Logger, 'info' | 'warn'>
}

/** A worker ended before it was ready; it has printed why. */
export class EndedEarly extends Error {
  readonly code: number

  constructor(code: number) {
    super('A process ended before it was ready.')
    this.code = code
  }
}

export class Crew {
  readonly #options: CrewOptions
  readonly #places: readonly Place[]
  readonly #alive = new Set<Worker>()
  readonly #reached: Record<Step, Set<Worker>> = { quiet: new Set(), closed: new Set() }
  #isEnding = false
  #renewing = Promise.resolve()

  constructor(options: CrewOptions) {
    this.#options = options
    this.#places = Array.from({ length: options.count }, (_, at) => ({
      isFirst: at === 0,
      worker: undefined,
      failures: 0,
    }))
  }

  /** Starts the first worker alone to find out whether any can start; then the others join it. */
  async open(): Promise<void> {
    const [first, ...others] = this.#places
    if (first) first.worker = await this.#start(first, false)
    await Promise.all(
      others.map(async (place) => {
        place.worker = await this.#start(place, true)
      }),
    )
  }

  /** Renews one worker after the other, ending each only once its successor is ready. */
  renew(): void {
    this.#renewing = this.#renewing.then(() => this.#renewAll())
  }

  async end(): Promise<void> {
    this.#isEnding = true
    await Promise.all([...this.#alive].map((worker) => dismiss(worker, 'end')))
  }

  #start(place: Place, joins: boolean): Promise<Worker> {
    const { log, environmentOf } = this.#options
    cluster.setupPrimary({ args: joins ? [JOINS] : [] })
    const worker = cluster.fork(environmentOf(place.isFirst))
    this.#watch(place, worker)
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

  #watch(place: Place, worker: Worker): void {
    this.#alive.add(worker)
    // Sending to a worker that has just ended would fail.
    worker.on('error', () => {})
    worker.on('message', (message) => {
      for (const step of STEPS) if (tells(message, step)) this.#reached[step].add(worker)
      if (this.#isEnding) this.#tellWhatAllReached()
    })
    worker.once('exit', (code, signal) => {
      this.#alive.delete(worker)
      if (this.#isEnding) return this.#tellWhatAllReached()
      if (place.worker !== worker) return
      place.worker = undefined
      this.#options.log.warn({ event: 'process.ended', ended_pid: worker.process.pid, code, signal })
      void this.#replace(place)
    })
  }

  async #replace(place: Place): Promise<void> {
    while (!this.#isEnding && place.worker === undefined) {
      try {
        const worker = await this.#start(place, true)
        if (worker.isConnected()) place.worker = worker
      } catch {
        place.failures += 1
        await pause(Math.min(FIRST_PAUSE_MS * 2 ** place.failures, LONGEST_PAUSE_MS))
      }
    }
  }

  async #renewAll(): Promise<void> {
    for (const place of this.#places) {
      const before = place.worker
      if (this.#isEnding || !before) continue
      try {
        place.worker = await this.#start(place, true)
        await dismiss(before, 'leave')
      } catch {
        this.#options.log.warn({ event: 'process.not-renewed', pid_that_stays: before.process.pid })
        return
      }
    }
  }

  /** A worker that is not ready yet has no requests to answer, and ends at once. */
  #tellWhatAllReached(): void {
    for (const step of STEPS)
      if ([...this.#alive].every((worker) => this.#reached[step].has(worker)))
        for (const worker of this.#alive) order(worker, `all ${step}`)
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
