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
export function restore(backup: string, target: Target): Promise<BackupNote> {
  return explained(target.dataDir, async () => {
    const note = readNote(backup)
    requireRoom(backup, target)
    makeFolder(target.dataDir)
    const release = await takeLock(target.dataDir)
    try {
      bringBack(backup, target)
      return note
    } finally {
      release()
    }
  })
}

const holdsFiles = (backup: string) => existsSync(join(backup, 'files'))

function requireRoom(backup: string, { dataDir, filesDir }: Target): void {
  requireEmpty(dataDir)
  if (!holdsFiles(backup)) return
  if (!filesDir)
    throw new BackupError('This backup has a folder of files: set FILES_DIR to where they shall be.')
  requireEmpty(filesDir)
}

/** All of it, or nothing. */
function bringBack(backup: string, { dataDir, filesDir }: Target): void {
  const { folder, account } = findHome(dataDir)
  try {
    cpSync(join(backup, 'postgres'), folder, { recursive: true, preserveTimestamps: true })
    chmodSync(folder, 0o700)
    giveAll(folder, account)
    for (const name of BESIDE)
      if (existsSync(join(backup, name))) cpSync(join(backup, name), join(dataDir, name))
    if (holdsFiles(backup) && filesDir) cpSync(join(backup, 'files'), filesDir, { recursive: true })
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    for (const name of ['postgres', ...BESIDE]) rmSync(join(dataDir, name), { force: true })
    throw error
  }
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
