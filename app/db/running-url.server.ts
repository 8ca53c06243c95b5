/** The URL of a role's database, for commands beside a running Liftwell. */
import { existsSync } from 'node:fs'
import type { Config } from '#app/config.server.ts'
import { readSecret } from './embedded/cluster.server.ts'
import { DatabaseStartError } from './embedded/database-start-error.ts'
import { explained } from './embedded/explain.server.ts'
import { findHome } from './embedded/home.server.ts'
import { urlOfRunning } from './embedded/running.server.ts'
import { derivePasswords } from './prepare.server.ts'
import { withTarget } from './url.ts'

type Role = 'identity' | 'worker'
type Given = Pick<Config, 'DATABASE_IDENTITY_URL' | 'DATABASE_WORKER_URL' | 'DATA_DIR'>

export function findRunningUrl(
  { DATABASE_IDENTITY_URL, DATABASE_WORKER_URL, DATA_DIR }: Given,
  role: Role,
): Promise<string> {
  const given = role === 'identity' ? DATABASE_IDENTITY_URL : DATABASE_WORKER_URL
  if (given) return Promise.resolve(given)
  return explained(DATA_DIR, async () => {
    const home = existsSync(DATA_DIR) ? findHome(DATA_DIR) : null
    const adminUrl = home && urlOfRunning(home)
    if (home === null || adminUrl === null)
      throw new DatabaseStartError(
        `No database runs in ${DATA_DIR}: start Liftwell first, and leave it running.`,
      )
    const password = derivePasswords(readSecret(home.folder))[role]
    return withTarget(adminUrl, { user: `liftwell_${role}`, password, database: 'liftwell' })
  })
}
