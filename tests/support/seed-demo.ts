/** Seeds the database named in the environment, like a first start, in a separate process. */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { connect } from '#app/db/connect.server.ts'
import { openPool } from '#app/db/pool.server.ts'
import { keepZoneRules } from '#app/domain/planning/zone-rules.server.ts'
import { createSecrets } from '#app/identity/factors/secrets.server.ts'
import { loadSigningKeys } from '#app/identity/keys.server.ts'
import { startPlatform } from '#app/process/platform.server.ts'

const platform = await startPlatform()
// Its first jobs and the rules of time zones: a tenth to half a second that every copy would spend again.
await platform.startWork()
const database = connect(process.env.DATABASE_WORKER_URL ?? '')
await keepZoneRules(database)
const due = sql`select from graphile_worker._private_jobs where run_at <= now() limit 1`
while ((await due.execute(database)).rows.length > 0) await sleep(50)
await platform.stopWork()
await database.destroy()
const identity = openPool(process.env.DATABASE_IDENTITY_URL ?? '')
await loadSigningKeys(identity, createSecrets(process.env.APP_SECRET ?? ''), 'default')
await identity.end()
await platform.stop()
