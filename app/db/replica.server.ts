/** A read replica (PostgreSQL standby) that answers expensive reads. */
import { setTimeout as pause } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { connect } from './connect.server.ts'
import type { DB } from './schema.ts'
import { requireWall, WallError } from './wall.server.ts'

const LOOK_MS = 2_000
const MAX_BEHIND_MS = 30_000
const CATCH_UP_MS = 3_000
const CATCH_UP_LOOK_MS = 50

export class ReplicaError extends Error {}

export type Replica = {
  /** At most half a minute behind; null when it is further behind or away, and the primary is asked instead. */
  recent(): Kysely<DB> | null
  /** With everything committed before this call; null when it does not catch up. */
  caughtUp(): Promise<Kysely<DB> | null>
  distrust(): void
  close(): Promise<void>
}

export type ReplicaOptions = {
  max: number
  most_behind_ms?: number
  tell?: (isUsed: boolean) => void
}

type Mark = { lsn: string; at: number }

/** Throws when the server is no replica, or shows what it must not; one that is away is retried in the background. */
export async function openReplica(
  url: string,
  database: Kysely<DB>,
  { max, most_behind_ms = MAX_BEHIND_MS, tell = () => {} }: ReplicaOptions,
): Promise<Replica> {
  const replica = connect(url, { max, name: 'liftwell read', readOnly: true })
  let isSafe = false
  let mark: Mark | undefined
  let reaches = Number.NEGATIVE_INFINITY
  let wasUsed = false
  const isRecent = () => performance.now() - reaches < most_behind_ms

  async function look(): Promise<void> {
    if (!isSafe) await requireReplica(replica)
    isSafe = true
    mark ??= { lsn: await positionOf(database), at: performance.now() }
    if (!(await hasReached(replica, mark.lsn))) return
    reaches = mark.at
    mark = undefined
  }
  function sayWhetherUsed(): void {
    if (isRecent() !== wasUsed) tell(isRecent())
    wasUsed = isRecent()
  }

  let isClosed = false
  async function keepLooking(): Promise<void> {
    while (!isClosed) {
      await pause(LOOK_MS, undefined, { ref: false })
      if (!isClosed) await look().catch(() => {})
      sayWhetherUsed()
    }
  }

  await look().catch(async (error) => {
    if (!(error instanceof WallError || error instanceof ReplicaError)) return
    await replica.destroy()
    throw error
  })
  wasUsed = isRecent()
  if (!wasUsed) tell(false)
  void keepLooking()

  return {
    recent: () => (isSafe && isRecent() ? replica : null),
    async caughtUp() {
      if (!isSafe || !isRecent()) return null
      return (await catchesUp(replica, await positionOf(database))) ? replica : null
    },
    distrust() {
      reaches = Number.NEGATIVE_INFINITY
      sayWhetherUsed()
    },
    async close() {
      isClosed = true
      await replica.destroy()
    },
  }
}

/** Waits a moment; a replica that fails to answer counts as behind. */
async function catchesUp(replica: Kysely<DB>, lsn: string): Promise<boolean> {
  const end = performance.now() + CATCH_UP_MS
  while (performance.now() < end) {
    const isThere = await hasReached(replica, lsn).catch(() => null)
    if (isThere !== false) return isThere === true
    await pause(CATCH_UP_LOOK_MS)
  }
  return false
}

async function requireReplica(replica: Kysely<DB>): Promise<void> {
  const { rows } = await sql<{ is_one: boolean }>`select pg_is_in_recovery() as is_one`.execute(replica)
  if (!rows[0]?.is_one)
    throw new ReplicaError('DATABASE_READ_URL: this server takes writes, so it is no replica.')
  await requireWall(replica)
}

async function positionOf(database: Kysely<DB>): Promise<string> {
  const { rows } = await sql<{ lsn: string }>`select pg_current_wal_lsn()::text as lsn`.execute(database)
  return rows[0]?.lsn ?? ''
}

async function hasReached(replica: Kysely<DB>, lsn: string): Promise<boolean> {
  const { rows } = await sql<{ is_there: boolean }>`
    select pg_last_wal_replay_lsn() >= ${lsn}::pg_lsn as is_there`.execute(replica)
  return rows[0]?.is_there === true
}
