/** Puts a backup into an empty data folder. */
import { chmodSync, cpSync, existsSync, lstatSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { BackupNote, BESIDE, NOTE } from './backup.server.ts'
import { BackupError } from './backup-error.ts'
import { explained } from './embedded/explain.server.ts'
import { findHome, give } from './embedded/home.server.ts'
import { takeLock } from './embedded/lock.server.ts'
import { makeFolder } from './embedded/make-folder.server.ts'

type Target = { dataDir: string; filesDir?: string | undefined }

/** Refuses a folder with data in it: what is there is moved away by a person, never by us. */
export function restore(backup: string, { dataDir, filesDir }: Target): Promise<BackupNote> {
  return explained(dataDir, async () => {
    const note = readNote(backup)
    requireEmpty(dataDir)
    const hasFiles = existsSync(join(backup, 'files'))
    if (hasFiles && !filesDir)
      throw new BackupError('This backup has a folder of files: set FILES_DIR to where they shall be.')
    if (hasFiles && filesDir) requireEmpty(filesDir)
    makeFolder(dataDir)
    const release = await takeLock(dataDir)
    const home = findHome(dataDir)
    try {
      cpSync(join(backup, 'postgres'), home.folder, { recursive: true, preserveTimestamps: true })
      chmodSync(home.folder, 0o700)
      giveAll(home.folder, home.account)
      for (const name of BESIDE)
        if (existsSync(join(backup, name))) cpSync(join(backup, name), join(dataDir, name))
      if (hasFiles && filesDir) cpSync(join(backup, 'files'), filesDir, { recursive: true })
      return note
    } catch (error) {
      rmSync(home.folder, { recursive: true, force: true })
      for (const name of ['postgres', ...BESIDE]) rmSync(join(dataDir, name), { force: true })
      throw error
    } finally {
      release()
    }
  })
}

function readNote(backup: string): BackupNote {
  try {
    return BackupNote.parse(JSON.parse(readFileSync(join(backup, NOTE), 'utf8')))
  } catch {
    throw new BackupError(`${resolve(backup)} is no whole backup of Liftwell: its ${NOTE} cannot be read.`)
  }
}

function requireEmpty(folder: string): void {
  if (!existsSync(folder) || readdirSync(folder).length === 0) return
  throw new BackupError(
    `${resolve(folder)} is not empty: move what is in it away first, or restore into another folder.`,
  )
}

function giveAll(path: string, account: Parameters<typeof give>[1]): void {
  give(path, account)
  if (!lstatSync(path).isDirectory()) return
  for (const name of readdirSync(path)) giveAll(join(path, name), account)
}
