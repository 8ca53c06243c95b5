/** One Liftwell per data folder. A lock whose holder was killed is taken over. */
import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseStartError } from './database-start-error.ts'
import { beginningOf } from './process-identity.server.ts'

const GUARD_LIVES_MS = 10_000

type Holder = { pid: number; beginning: string }

/** Takes the folder for this process; returns a function that releases it. */
export async function takeLock(folder: string): Promise<() => void> {
  const file = join(folder, 'liftwell.lock')
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  const me: Holder = { pid: process.pid, beginning: beginningOf(process.pid) ?? '' }
  // Written to a draft and then linked, so that no process sees a half-written lock.
  writeFileSync(draft, JSON.stringify(me), { mode: 0o644 })
  try {
    while (!tryLink(draft, file)) {
      const holder = readHolder(file)
      if (holder && beginningOf(holder.pid) === holder.beginning) throw alreadyRunning(folder, holder)
      if (replaceStale(draft, file)) break
      await sleep(20)
    }
  } finally {
    rmSync(draft, { force: true })
  }
  return () => {
    const holder = readHolder(file)
    if (holder?.pid === me.pid && holder.beginning === me.beginning) rmSync(file, { force: true })
  }
}

const alreadyRunning = (folder: string, { pid }: Holder) =>
  new DatabaseStartError(
    `Liftwell already runs on the data folder ${folder} (process ${pid}): stop it first, or give this one another DATA_DIR.`,
  )

/** Processes that find the same stale lock take turns behind a guard file, so that only one replaces it. */
function replaceStale(draft: string, file: string): boolean {
  const guard = `${file}.guard`
  if (!tryLink(draft, guard)) {
    if (existsSync(guard) && Date.now() - statSync(guard).mtimeMs > GUARD_LIVES_MS)
      rmSync(guard, { force: true })
    return false
  }
  try {
    const holder = readHolder(file)
    if (holder && beginningOf(holder.pid) === holder.beginning) return false
    renameSync(draft, file)
    return true
  } finally {
    rmSync(guard, { force: true })
  }
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

function readHolder(file: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}
