/** Where the embedded sign-in's role finds its database, for commands beside a running Liftwell. */
import { existsSync } from 'node:fs'
import type { Config } from '#app/config.server.ts'
import { readSecret } from './embedded/cluster.server.ts'
import { DatabaseStartError } from './embedded/database-start-error.ts'
import { explained } from './embedded/explain.server.ts'
import { findHome } from './embedded/home.server.ts'
import { urlOfRunning } from './embedded/running.server.ts'
import { derivePasswords } from './prepare.server.ts'
import { withTarget } from './url.ts'

export function findIdentityUrl({
  DATABASE_IDENTITY_URL,
  DATA_DIR,
}: Pick<Config, 'DATABASE_IDENTITY_URL' | 'DATA_DIR'>): Promise<string> {
  if (DATABASE_IDENTITY_URL) return Promise.resolve(DATABASE_IDENTITY_URL)
  return explained(DATA_DIR, async () => {
    const home = existsSync(DATA_DIR) ? findHome(DATA_DIR) : null
    const adminUrl = home && urlOfRunning(home)
    if (home === null || adminUrl === null)
      throw new DatabaseStartError(
        `No database runs in ${DATA_DIR}: start Liftwell first, and leave it running.`,
      )
    const password = derivePasswords(readSecret(home.folder)).identity
    return withTarget(adminUrl, { user: 'liftwell_identity', password, database: 'liftwell' })
  })
}
