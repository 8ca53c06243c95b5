/** Creates the files of a database server, once: completely or not at all. */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { asAccount } from './account.server.ts'
import type { Binaries } from './binaries.server.ts'
import { DatabaseStartError } from './database-start-error.ts'
import { give, type Home, makePrivateFolder } from './home.server.ts'

const run = promisify(execFile)

export const SUPERUSER = 'postgres'

const DRAFT = '.new-'

/** Creates the data folder if there is none, and refuses one that this PostgreSQL cannot read. */
export async function requireCluster(
  { folder, account }: Home,
  binaries: Binaries,
  isLasting: boolean,
): Promise<void> {
  const version = join(folder, 'PG_VERSION')
  if (!existsSync(version)) {
    if (existsSync(folder) && readdirSync(folder).length > 0) {
      throw new DatabaseStartError(`The folder ${folder} is not empty, and no database is in it.`)
    }
    return createCluster({ folder, account }, binaries, isLasting)
  }
  const major = readFileSync(version, 'utf8').trim()
  if (major === binaries.major) return
  throw new DatabaseStartError(
    `The data folder ${folder} was made by PostgreSQL ${major}, and this version of Liftwell brings PostgreSQL ${binaries.major}: restore a backup into a new DATA_DIR, or start the version of Liftwell that made it.`,
  )
}

/** The superuser's password, stored only in the data folder. */
export function readSecret(folder: string): string {
  const file = join(folder, 'liftwell-password')
  if (existsSync(file)) return readFileSync(file, 'utf8')
  throw new DatabaseStartError(`The file ${file} is missing: without it nobody can sign in to the database.`)
}

/** Works under another name first, so that an interrupted attempt leaves nothing that looks like data. */
async function createCluster(
  { folder, account }: Home,
  { initdb }: Binaries,
  isLasting: boolean,
): Promise<void> {
  removeDrafts(folder)
  const draft = `${folder}${DRAFT}${randomBytes(4).toString('hex')}`
  const password = `${draft}.password`
  try {
    makePrivateFolder(draft, account)
    writeFileSync(password, randomBytes(24).toString('base64url'), { mode: 0o600 })
    give(password, account)
    const options = [
      `--pgdata=${draft}`,
      `--username=${SUPERUSER}`,
      `--pwfile=${password}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      // The same sort order and character classes on every machine, independent of its system libraries.
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--data-checksums',
      ...(isLasting ? [] : ['--no-sync']),
    ]
    await run(initdb, options, asAccount(account))
    renameSync(password, join(draft, 'liftwell-password'))
    renameSync(draft, folder)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    rmSync(password, { force: true })
    throw error
  }
}

/** Removes remains of interrupted attempts; one may still be running and cannot be removed then. */
function removeDrafts(folder: string): void {
  for (const name of readdirSync(dirname(folder))) {
    if (!name.startsWith(`${basename(folder)}${DRAFT}`)) continue
    try {
      rmSync(join(dirname(folder), name), { recursive: true, force: true })
    } catch {
      // It does no harm where it is.
    }
  }
}
