/** `npm run keys:rotate`: new keys for the tokens of the embedded sign-in, while Liftwell runs. */
import { getConfig } from '#app/config.server.ts'
import { openPool } from '#app/db/pool.server.ts'
import { findRunningUrl } from '#app/db/running-url.server.ts'
import { secretOf } from '#app/db/secret.server.ts'
import { createSecrets } from '#app/identity/factors/secrets.server.ts'
import { rotateSigningKeys } from '#app/identity/keys.server.ts'
import { report } from './report.ts'

async function run(): Promise<string> {
  const config = getConfig()
  const database = openPool(await findRunningUrl(config, 'identity'), { max: 1 })
  try {
    const secret = await secretOf(config)
    const pools = await rotateSigningKeys(database, createSecrets(secret))
    if (pools.length === 0) return 'Nothing was signed yet: there is no key to replace.'
    return `New signing keys for ${pools.join(', ')}. They take over in two minutes; what the old ones signed stays valid until it expires.`
  } finally {
    await database.end()
  }
}

await report(run())
