/** Marks a data folder while a restore into it is incomplete: nothing starts there until the restore is repeated. */
import { existsSync, readFileSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { sync } from './durable.server.ts'
import { DatabaseStartError } from './embedded/database-start-error.ts'

const markOf = (dataDir: string) => join(dataDir, 'restore-under-way')

export const isHalfRestored = (dataDir: string): boolean => existsSync(markOf(dataDir))

export function refuseHalfRestored(dataDir: string): void {
  if (!isHalfRestored(dataDir)) return
  const backup = readFileSync(markOf(dataDir), 'utf8') || '<folder of the backup>'
  throw new DatabaseStartError(
    `A restore into ${resolve(dataDir)} was interrupted. Run npm run restore -- ${backup} again, or set DATA_DIR to another folder.`,
  )
}

export async function markHalfRestored(dataDir: string, backup: string): Promise<void> {
  await writeFile(markOf(dataDir), resolve(backup))
  await sync(markOf(dataDir))
  await sync(dataDir)
}

export async function markRestored(dataDir: string): Promise<void> {
  await sync(dataDir)
  await rm(markOf(dataDir))
  await sync(dataDir)
}
