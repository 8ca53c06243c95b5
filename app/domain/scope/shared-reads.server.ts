/**
 * The reads of a request with the same scope share one read-only transaction; a read that turns out to write runs
 * again in its own.
 */
import { hasChanged } from '#app/db/plans/named.server.ts'
import type { Actor } from '../access/actor.ts'
import { type Database, inScope, type Scope, scopeThatReads, settingsOf } from './scope.server.ts'

/** Like `inScope`, for reads. */
export type InScope = <Result>(actor: Actor, work: (scope: Scope) => Promise<Result>) => Promise<Result>

type Shared = {
  opening: Promise<{ scope: Scope; commit(): void }>
  /** Resolves when the previous read has ended. */
  last: Promise<unknown>
  waiting: number
  isOver: boolean
}

export function shareReads(database: Database, begins?: 'from home'): InScope {
  const open = new Map<string, Shared>()

  function join(actor: Actor): Shared {
    const key = JSON.stringify(settingsOf(actor))
    const known = open.get(key)
    if (known && !known.isOver) return known
    const shared: Shared = {
      opening: begin(database, actor, begins),
      last: Promise.resolve(),
      waiting: 0,
      isOver: false,
    }
    shared.opening.catch(() => {
      shared.isOver = true
    })
    open.set(key, shared)
    return shared
  }

  return async function read<Result>(actor: Actor, work: (scope: Scope) => Promise<Result>): Promise<Result> {
    const shared = join(actor)
    shared.waiting += 1
    const mine = shared.last.then(() => attempt(shared, actor, work))
    shared.last = mine.catch(() => {})
    let done: Done<Result>
    try {
      done = await mine
    } finally {
      shared.waiting -= 1
      // Runs after the next reads of the same loader have been requested.
      setImmediate(endUnused, shared)
    }
    if (done === TOO_LATE) return read(actor, work)
    return done === ALONE ? inScope(database, actor, work) : (done as Result)
  }
}

const TOO_LATE = Symbol('the transaction was over')
const ALONE = Symbol('not in this transaction')
type Done<Result> = Result | typeof TOO_LATE | typeof ALONE

/** A transaction that stays open until `commit` is called; its connection is always released. */
function begin(database: Database, actor: Actor, begins?: 'from home'): Shared['opening'] {
  const opened = Promise.withResolvers<Awaited<Shared['opening']>>()
  const ended = Promise.withResolvers<void>()
  database
    .transaction()
    .setAccessMode('read only')
    .execute((db) =>
      scopeThatReads(
        db,
        actor,
        (scope) => {
          opened.resolve({ scope, commit: ended.resolve })
          return ended.promise
        },
        begins,
      ),
    )
    .catch(opened.reject)
  return opened.promise
}

async function attempt<Result>(
  shared: Shared,
  actor: Actor,
  work: (scope: Scope) => Promise<Result>,
): Promise<Done<Result>> {
  const { scope } = await shared.opening
  if (shared.isOver) return TOO_LATE
  try {
    return await work({ ...scope, actor })
  } catch (error) {
    // A failed read may have left statements running: later reads use a new transaction.
    end(shared)
    if (hasChanged(error) || (error as { code?: unknown }).code === READ_ONLY) return ALONE
    throw error
  }
}

const READ_ONLY = '25006'

function endUnused(shared: Shared): void {
  if (shared.waiting === 0) end(shared)
}

function end(shared: Shared): void {
  if (shared.isOver) return
  shared.isOver = true
  shared.opening.then(({ commit }) => commit()).catch(() => {})
}
