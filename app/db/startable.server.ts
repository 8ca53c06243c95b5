/** Refuses data folders that contain a database but must not be started on. */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { NOTE } from './backup/backup-note.ts'
import { DatabaseStartError } from './embedded/database-start-error.ts'
import { refuseHalfRestored } from './half-restored.server.ts'

export function requireStartable(dataDir: string): void {
  refuseHalfRestored(dataDir)
  refuseBackup(dataDir)
}

/** Started on, a backup would change, and send again what has been sent since it was made. */
function refuseBackup(dataDir: string): void {
  if (!existsSync(join(dataDir, NOTE))) return
  const backup = resolve(dataDir)
  throw new DatabaseStartError(
    `${backup} is a backup, and no data folder: set DATA_DIR to an empty folder, and run npm run restore -- ${backup} first.`,
  )
}
