/** Messages between a worker process and the primary that started it. */
import cluster from 'node:cluster'

/** Steps of a shutdown of all workers. `quiet`: no client of this worker is between an answer and its next request. */
export const STEPS = ['quiet', 'closed'] as const
export type Step = (typeof STEPS)[number]
type Told = { liftwell: 'ready' | Step }
/** `leave`: others take its place. `end`: all workers leave. */
export type Order = { liftwell: 'leave' | 'end' | `all ${Step}` }

export type Link = {
  /** Whether other workers serve already: then this one listens only once it is ready. */
  joins: boolean
  ready(): void
  /** Calls back when this worker has to leave: replaced, all end, or the primary is gone. */
  onLeave(leave: (why: 'replaced' | 'all end' | 'orphaned') => void): void
  /** Resolves when all other workers have reached the step too. */
  allAre(step: Step): Promise<void>
}

export const tells = (message: unknown, what: Told['liftwell'] | Order['liftwell']): boolean =>
  (message as Partial<Told> | null)?.liftwell === what

/** The argument of a worker that joins running ones. */
export const JOINS = '--joins'

export function openLink(): Link | undefined {
  if (!cluster.isWorker) return undefined
  const tell = (what: Told['liftwell']) => void process.send?.({ liftwell: what } satisfies Told, () => {})
  return {
    joins: process.argv.includes(JOINS),
    ready: () => tell('ready'),
    onLeave(leave) {
      process.on('message', (message) => {
        if (tells(message, 'leave')) leave('replaced')
        if (tells(message, 'end')) leave('all end')
      })
      process.once('disconnect', () => leave('orphaned'))
    },
    allAre(step) {
      tell(step)
      return new Promise((resolve) =>
        process.on('message', (message) => tells(message, `all ${step}`) && resolve()),
      )
    },
  }
}
