/** The generated secret of an installation without a configured one, stored in the data folder for its owner only. */
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { sync } from './durable.server.ts'
import { DatabaseStartError } from './embedded/database-start-error.ts'
import { explained } from './embedded/explain.server.ts'
import { makeDataFolder } from './embedded/make-folder.server.ts'
import { requireStartable } from './startable.server.ts'

/** The configured secret, else the one in the data folder. */
export const secretOf = async ({
  APP_SECRET,
  DATA_DIR,
}: {
  APP_SECRET?: string | undefined
  DATA_DIR: string
}) => APP_SECRET ?? (await keepSecret(DATA_DIR))

export async function keepSecret(dataDir: string): Promise<string> {
  requireStartable(dataDir)
  return explained(dataDir, () => readOrMake(dataDir))
}

async function readOrMake(dataDir: string): Promise<string> {
  const file = join(dataDir, 'secret')
  if (existsSync(file)) return readFile(file, 'utf8')
  requireNoDatabase(dataDir)
  makeDataFolder(dataDir)
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  try {
    // The first process to link wins, and none ever reads half a secret.
    await writeFile(draft, randomBytes(32).toString('base64url'), { mode: 0o600 })
    await sync(draft)
    await link(draft, file).catch((error) => {
      if (error.code !== 'EEXIST') throw error
    })
  } finally {
    await rm(draft, { force: true })
  }
  await sync(dataDir)
  return readFile(file, 'utf8')
}

/** An existing database gets no new secret: its sealed values open only under the one they were sealed with. */
function requireNoDatabase(dataDir: string): void {
  if (!existsSync(join(dataDir, 'postgres', 'PG_VERSION'))) return
  throw new DatabaseStartError(
    `The secret of the database in ${resolve(dataDir)} is missing: put the file "secret" of a backup back into that folder, or set APP_SECRET to what it was.`,
  )
}
