/** Runs work once per key across all processes of a cluster; the primary keeps the result in memory for a while. */
import cluster, { type Worker } from 'node:cluster'
import { type Reply, Turns } from './turns.ts'

type Told =
  | { turn: 'ask'; key: string; nth: number }
  | { turn: 'made'; key: string; made: string; keptMs: number }
  | { turn: 'failed'; key: string }
type Answer = { turn_of: number; made: string | null }

const own = new Turns()
let asked = 0

export async function madeOnce(key: string, keptMs: number, make: () => Promise<string>): Promise<string> {
  const known = await turnOf(key)
  if (known !== null) return known
  try {
    const made = await make()
    tell({ turn: 'made', key, made, keptMs })
    return made
  } catch (error) {
    tell({ turn: 'failed', key })
    throw error
  }
}

const turnOf = (key: string): Promise<string | null> =>
  new Promise((resolve) => {
    if (!cluster.isWorker) return own.ask(key, resolve)
    const nth = ++asked
    const hear = (answer: Partial<Answer> | null) => {
      if (answer?.turn_of !== nth) return
      process.off('message', hear)
      resolve(answer.made ?? null)
    }
    process.on('message', hear)
    tell({ turn: 'ask', key, nth })
  })

function tell(told: Told): void {
  if (cluster.isWorker) process.send?.(told, () => {})
  else if (told.turn === 'made') own.made(told.key, told.made, told.keptMs)
  else own.failed(told.key)
}

/** Call once in the primary. A worker that dies while it works gives its turn to the next one that waits. */
export function keepTurns(): void {
  const making = new Map<Worker, Set<string>>()
  const keysOf = (worker: Worker): Set<string> => {
    const keys = making.get(worker) ?? new Set()
    making.set(worker, keys)
    return keys
  }
  const replyTo =
    (worker: Worker, key: string, turn_of: number): Reply =>
    (made) => {
      if (made === null && worker.isDead()) return own.failed(key)
      if (made === null) keysOf(worker).add(key)
      worker.send({ turn_of, made } satisfies Answer, () => {})
    }
  cluster.on('message', (worker, told: Told | { turn?: undefined } | null) => {
    if (told?.turn === undefined) return
    const { key } = told
    if (told.turn === 'ask') return own.ask(key, replyTo(worker, key, told.nth))
    keysOf(worker).delete(key)
    if (told.turn === 'failed') own.failed(key)
    else own.made(key, told.made, told.keptMs)
  })
  cluster.on('exit', (worker) => {
    for (const key of keysOf(worker)) own.failed(key)
    making.delete(worker)
  })
}
