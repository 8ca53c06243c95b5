/** What of an installation is in its data folder and its folder of files, as one folder to keep elsewhere. */
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  cpSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { z } from 'zod'
import { BackupError } from './backup-error.ts'
import { copyCluster } from './embedded/copy-cluster.server.ts'
import { explained } from './embedded/explain.server.ts'
import { findHome } from './embedded/home.server.ts'
import { makeFolder } from './embedded/make-folder.server.ts'

export const NOTE = 'backup.json'
/** What stands beside the database in a data folder and cannot be made again. */
export const BESIDE = ['secret', 'demo-accounts.json']

export const BackupNote = z.object({
  format: z.literal(1),
  made_at: z.iso.datetime(),
  postgresql: z.string(),
})
export type BackupNote = z.infer<typeof BackupNote>

type Source = { dataDir: string; filesDir?: string | undefined }

/** Writes a backup into `target`, which must not exist yet: whole under that name, or not at all. */
export function backUp({ dataDir, filesDir }: Source, target: string): Promise<BackupNote> {
  return explained(dirname(resolve(target)), async () => {
    if (!existsSync(join(dataDir, 'postgres', 'PG_VERSION')))
      throw new BackupError(`There is no database in ${resolve(dataDir)}.`)
    if (existsSync(target)) throw new BackupError(`${resolve(target)} exists already: choose another name.`)
    makeFolder(dirname(resolve(target)))
    const draft = `${target}.part-${randomBytes(4).toString('hex')}`
    try {
      mkdirSync(draft, { mode: 0o700 })
      const made_at = await copyCluster(findHome(dataDir), join(draft, 'postgres'))
      for (const name of BESIDE)
        if (existsSync(join(dataDir, name))) cpSync(join(dataDir, name), join(draft, name))
      // After the database: a file that a row names is there before the row is.
      if (filesDir && existsSync(filesDir)) cpSync(filesDir, join(draft, 'files'), { recursive: true })
      const note = noteOf(draft, made_at)
      writeFileSync(join(draft, NOTE), `${JSON.stringify(note, null, 2)}\n`)
      syncAll(draft)
      renameSync(draft, target)
      syncAll(dirname(resolve(target)), false)
      return note
    } catch (error) {
      rmSync(draft, { recursive: true, force: true })
      throw error
    }
  })
}

const noteOf = (draft: string, made_at: Date): BackupNote => ({
  format: 1,
  made_at: made_at.toISOString(),
  postgresql: readFileSync(join(draft, 'postgres', 'PG_VERSION'), 'utf8').trim(),
})

/** On the disk, not only on its way there. */
function syncAll(path: string, isDeep = true): void {
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  if (!isDeep || !statSync(path).isDirectory()) return
  for (const name of readdirSync(path)) syncAll(join(path, name))
}
