/** Folders are written under a draft name first. It contains the process, so drafts of killed processes can be removed. */
import { createHash } from 'node:crypto'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { beginningOf } from '../embedded/process-identity.server.ts'

const DRAFT = /\.part-(\d+)-([0-9a-f]{8})$/

export async function makeDraft(target: string): Promise<string> {
  const draft = `${target}.part-${process.pid}-${lifeOf(process.pid)}`
  await mkdir(draft, { mode: 0o700 })
  return draft
}

/** Removes the drafts beside `target` whose writers have ended; returns their paths. */
export async function removeDeadDrafts(target: string): Promise<string[]> {
  const folder = dirname(target)
  const dead = (await readdir(folder)).filter((name) => {
    const [, pid, life] = DRAFT.exec(name) ?? []
    return pid !== undefined && lifeOf(Number(pid)) !== life
  })
  for (const name of dead) await rm(join(folder, name), { recursive: true, force: true })
  return dead.map((name) => join(folder, name))
}

/** A short hash of the process's start time, because pids are reused; undefined when it has ended. */
function lifeOf(pid: number): string | undefined {
  const beginning = beginningOf(pid)
  return beginning && createHash('sha256').update(beginning).digest('hex').slice(0, 8)
}
