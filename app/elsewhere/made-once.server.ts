/** Runs work once per key across all processes of a cluster; the primary keeps the result in memory for a while. */
import cluster, { type Worker } from 'node:cluster'
import { type Reply, SingleFlight } from './single-flight.ts'

type Told =
  | { flight: 'ask'; key: string; nth: number }
  | { flight: 'made'; key: string; made: string; keptMs: number }
  | { flight: 'failed'; key: string }
type Answer = { flight_of: number; made: string | null }

const own = new SingleFlight()
let asked = 0

export async function madeOnce(key: string, keptMs: number, make: () => Promise<string>): Promise<string> {
  const known = await join(key)
  if (known !== null) return known
  try {
    const made = await make()
    tell({ flight: 'made', key, made, keptMs })
    return made
  } catch (error) {
    tell({ flight: 'failed', key })
    throw error
  }
}

const join = (key: string): Promise<string | null> =>
  new Promise((resolve) => {
    if (!cluster.isWorker) return own.ask(key, resolve)
    const nth = ++asked
    const hear = (answer: Partial<Answer> | null) => {
      if (answer?.flight_of !== nth) return
      process.off('message', hear)
      resolve(answer.made ?? null)
    }
    process.on('message', hear)
    tell({ flight: 'ask', key, nth })
  })

function tell(told: Told): void {
  if (cluster.isWorker) process.send?.(told, () => {})
  else if (told.flight === 'made') own.made(told.key, told.made, told.keptMs)
  else own.failed(told.key)
}

/** Call once in the primary. A worker that dies while it works gives its turn to the next one that waits. */
export function keepMade(): void {
  const making = new Map<Worker, Set<string>>()
  const keysOf = (worker: Worker): Set<string> => {
    const keys = making.get(worker) ?? new Set()
    making.set(worker, keys)
    return keys
  }
  const replyTo =
    (worker: Worker, key: string, flight_of: number): Reply =>
    (made) => {
      if (made === null && worker.isDead()) return own.failed(key)
      if (made === null) keysOf(worker).add(key)
      worker.send({ flight_of, made } satisfies Answer, () => {})
    }
  cluster.on('message', (worker, told: Told | { flight?: undefined } | null) => {
    if (told?.flight === undefined) return
    const { key } = told
    if (told.flight === 'ask') return own.ask(key, replyTo(worker, key, told.nth))
    keysOf(worker).delete(key)
    if (told.flight === 'failed') own.failed(key)
    else own.made(key, told.made, told.keptMs)
  })
  cluster.on('exit', (worker) => {
    for (const key of keysOf(worker)) own.failed(key)
    making.delete(worker)
  })
}
