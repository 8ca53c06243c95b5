/** The secret of an installation that was given none: made once, kept in the data folder for its owner only. */
import { randomBytes } from 'node:crypto'
import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { explained } from './embedded/explain.server.ts'
import { makeFolder } from './embedded/make-folder.server.ts'

export function keepSecret(dataDir: string): Promise<string> {
  return explained(dataDir, () => readOrMake(dataDir))
}

async function readOrMake(dataDir: string): Promise<string> {
  makeFolder(dataDir)
  const file = join(dataDir, 'secret')
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  try {
    // Whoever links first wins, and nobody ever reads half a secret.
    await writeFile(draft, randomBytes(32).toString('base64url'), { mode: 0o600 })
    await link(draft, file).catch((error) => {
      if (error.code !== 'EEXIST') throw error
    })
  } finally {
    await rm(draft, { force: true })
  }
  return readFile(file, 'utf8')
}
