/** Seeds the database that the environment names, as a first start does, in a process of its own. */
import { connect } from '#app/db/connect.server.ts'
import { keepZoneRules } from '#app/domain/planning/zone-rules.server.ts'
import { startPlatform } from '#app/process/platform.server.ts'

const platform = await startPlatform()
const database = connect(process.env.DATABASE_WORKER_URL ?? '')
// Seconds of a processor, which the workers of every copy would spend again.
await keepZoneRules(database)
await database.destroy()
await platform.stop()
