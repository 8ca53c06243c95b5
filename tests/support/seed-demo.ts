/** Seeds the database named in the environment, like a first start, in a separate process. */
import { connect } from '#app/db/connect.server.ts'
import { openPool } from '#app/db/pool.server.ts'
import { keepZoneRules } from '#app/domain/planning/zone-rules.server.ts'
import { createSecrets } from '#app/identity/factors/secrets.server.ts'
import { loadSigningKeys } from '#app/identity/keys.server.ts'
import { startPlatform } from '#app/process/platform.server.ts'

const platform = await startPlatform()
// Computed here once: it takes seconds of processor time, which every copy would spend again.
const database = connect(process.env.DATABASE_WORKER_URL ?? '')
await keepZoneRules(database)
await database.destroy()
const identity = openPool(process.env.DATABASE_IDENTITY_URL ?? '')
await loadSigningKeys(identity, createSecrets(process.env.APP_SECRET ?? ''), 'default')
await identity.end()
await platform.stop()
