/** What one of several processes of a site and the one that started them say to each other. */
import cluster from 'node:cluster'

/** On the way to the end of all. `quiet`: nobody is between an answer and the next question here. */
export const STEPS = ['quiet', 'closed'] as const
export type Step = (typeof STEPS)[number]
type Told = { liftwell: 'ready' | Step }
/** `leave` with others in its place; `end`: all of them leave. */
export type Order = { liftwell: 'leave' | 'end' | `all ${Step}` }

export type Link = {
  /** Whether others serve already: it listens once it is ready, and not before. */
  joins: boolean
  ready(): void
  /** The others go on, or end as well; or whoever started this process is gone. */
  onLeave(leave: (why: 'replaced' | 'all end' | 'orphaned') => void): void
  /** Resolves when all others have come as far, too. */
  allAre(step: Step): Promise<void>
}

export const tells = (message: unknown, what: Told['liftwell'] | Order['liftwell']): boolean =>
  (message as Partial<Told> | null)?.liftwell === what

/** The argument of a process that joins others. */
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
