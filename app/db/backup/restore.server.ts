/** Restores a backup into an empty data folder: completely, or leaving nothing that a start would take for data. */
import { existsSync, readdirSync } from 'node:fs'
import { copyFile, lstat, readdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { copyFolder, keep, sync } from '../durable.server.ts'
import { usableBinaries } from '../embedded/binaries.server.ts'
import { explained } from '../embedded/explain.server.ts'
import { findHome, give } from '../embedded/home.server.ts'
import { takeLock } from '../embedded/lock.server.ts'
import { makeDataFolder } from '../embedded/make-folder.server.ts'
import { adoptOrStop } from '../embedded/orphan.server.ts'
import { stopServer } from '../embedded/postmaster.server.ts'
import { isHalfRestored, markHalfRestored, markRestored } from '../half-restored.server.ts'
import { BESIDE } from './backup.server.ts'
import { BackupError } from './backup-error.ts'
import { BackupNote, NOTE } from './backup-note.ts'

type Target = { dataDir: string; filesDir?: string | undefined }

/** Remains of a killed process's lock. */
const LOCK = /^liftwell\.lock/

/** Refuses a folder with data in it: a person has to move that first. Liftwell starts on the result only after `settle`. */
export function restore(backup: string, target: Target, settle = async () => {}): Promise<BackupNote> {
  const { dataDir } = target
  return explained(dataDir, async () => {
    const note = await readNote(backup)
    requireRoom(backup, target)
    makeDataFolder(dataDir)
    const release = await takeLock(dataDir)
    try {
      await markHalfRestored(dataDir, backup)
      await bringBack(backup, target)
    } finally {
      release()
    }
    await settle()
    await markRestored(dataDir)
    return note
  })
}

const holdsFiles = (backup: string) => existsSync(join(backup, 'files'))

/** Repeating an interrupted restore starts over; its folder of files may then hold only files of this backup. */
function requireRoom(backup: string, { dataDir, filesDir }: Target): void {
  const isAgain = isHalfRestored(dataDir)
  if (!isAgain) requireNothingIn(dataDir, (name) => !LOCK.test(name))
  if (!holdsFiles(backup)) return
  if (!filesDir)
    throw new BackupError(
      'This backup has a folder of files: set FILES_DIR to the folder to restore them into.',
    )
  const ours = new Set(isAgain ? readdirSync(join(backup, 'files')) : [])
  requireNothingIn(filesDir, (name) => !ours.has(name))
}

function requireNothingIn(folder: string, counts: (name: string) => boolean): void {
  if (!existsSync(folder) || !readdirSync(folder).some(counts)) return
  throw new BackupError(
    `${resolve(folder)} is not empty: move what is in it first, or restore into another folder.`,
  )
}

/** The database comes last, renamed in one step to the name that a start looks for. */
async function bringBack(backup: string, { dataDir, filesDir }: Target): Promise<void> {
  const home = findHome(dataDir)
  const { folder, account } = home
  const binaries = usableBinaries(account)
  if (await adoptOrStop(home, binaries)) await stopServer(home, binaries)
  const draft = `${folder}.restored`
  for (const path of [folder, draft, ...BESIDE.map((name) => join(dataDir, name))])
    await rm(path, { recursive: true, force: true })
  await copyFolder(join(backup, 'postgres'), draft)
  await giveAll(draft, account)
  await keep(draft)
  for (const name of BESIDE.filter((name) => existsSync(join(backup, name)))) {
    await copyFile(join(backup, name), join(dataDir, name))
    await keep(join(dataDir, name))
  }
  if (holdsFiles(backup) && filesDir) {
    await copyFolder(join(backup, 'files'), filesDir)
    for (const name of await readdir(join(backup, 'files'))) await keep(join(filesDir, name))
    await sync(filesDir)
  }
  await rename(draft, folder)
  await sync(dirname(folder))
}

async function readNote(backup: string): Promise<BackupNote> {
  try {
    return BackupNote.parse(JSON.parse(await readFile(join(backup, NOTE), 'utf8')))
  } catch {
    throw new BackupError(`${resolve(backup)} is not a complete Liftwell backup: its ${NOTE} cannot be read.`)
  }
}

async function giveAll(path: string, account: Parameters<typeof give>[1]): Promise<void> {
  give(path, account)
  if (!(await lstat(path)).isDirectory()) return
  for (const name of await readdir(path)) await giveAll(join(path, name), account)
}
