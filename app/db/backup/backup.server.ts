/** Copies an installation's data folder and its folder of files into one folder, to keep elsewhere. */
import { existsSync } from 'node:fs'
import { copyFile, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { copyFolder, keep, sync } from '../durable.server.ts'
import { copyCluster } from '../embedded/copy-cluster.server.ts'
import { explained } from '../embedded/explain.server.ts'
import { findHome } from '../embedded/home.server.ts'
import { makeFolder } from '../embedded/make-folder.server.ts'
import { requireStartable } from '../startable.server.ts'
import { BackupError } from './backup-error.ts'
import { type BackupNote, NOTE } from './backup-note.ts'
import { makeDraft, removeDeadDrafts } from './drafts.server.ts'

/** Files beside the database in a data folder that cannot be recreated. */
export const BESIDE = ['secret', 'demo-accounts.json']

type Source = { dataDir: string; filesDir?: string | undefined }
type Made = BackupNote & {
  /** Unfinished backups of killed processes, which were removed. */
  removed: string[]
}

/** Writes a backup into `target`, which must not exist yet: whole under that name, or not at all. */
export function backUp(source: Source, target: string, signal?: AbortSignal): Promise<Made> {
  const path = resolve(target)
  return explained(source.dataDir, async () => {
    if (!existsSync(join(source.dataDir, 'postgres', 'PG_VERSION')))
      throw new BackupError(`There is no database in ${resolve(source.dataDir)}.`)
    requireStartable(source.dataDir)
    if (existsSync(path)) throw new BackupError(`${path} exists already: choose another name.`)
    if (!relative(source.dataDir, path).startsWith('..'))
      throw new BackupError(
        `${path} is inside ${resolve(source.dataDir)}: a backup belongs outside the data.`,
      )
    const { removed, draft } = await begin(path)
    try {
      const note = await fill(draft, source, signal)
      await keep(draft, signal)
      await rename(draft, path)
      await sync(dirname(path))
      return { ...note, removed }
    } catch (error) {
      await rm(draft, { recursive: true, force: true })
      if (signal?.aborted) throw new BackupError('The backup was stopped, and nothing is left of it.')
      if (!isFull(error)) throw error
      throw new BackupError(`The disk of ${dirname(path)} is full, and nothing is left of the backup.`)
    }
  })
}

const isFull = (error: unknown) => /ENOSPC|EDQUOT/.test(String((error as NodeJS.ErrnoException).code))

async function begin(path: string): Promise<{ removed: string[]; draft: string }> {
  try {
    makeFolder(dirname(path), 0o700)
    return { removed: await removeDeadDrafts(path), draft: await makeDraft(path) }
  } catch (error) {
    const { message } = error as Error
    throw new BackupError(`Nothing can be written into ${dirname(path)}: choose another folder. ${message}`)
  }
}

async function fill(draft: string, { dataDir, filesDir }: Source, signal?: AbortSignal): Promise<BackupNote> {
  const made_at = await copyCluster(findHome(dataDir), join(draft, 'postgres'), signal)
  for (const name of BESIDE)
    if (existsSync(join(dataDir, name))) await copyFile(join(dataDir, name), join(draft, name))
  // Copied after the database, because a file is stored before the row that names it.
  if (filesDir && existsSync(filesDir)) await copyFolder(filesDir, join(draft, 'files'), { signal })
  const postgresql = (await readFile(join(draft, 'postgres', 'PG_VERSION'), 'utf8')).trim()
  const note: BackupNote = { format: 1, made_at: made_at.toISOString(), postgresql }
  await writeFile(join(draft, NOTE), `${JSON.stringify(note, null, 2)}\n`)
  return note
}
