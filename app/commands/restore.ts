/** `npm run restore -- <backup>`: restores into an empty DATA_DIR. What fell due since the backup waits for a person. */
import { getConfig } from '#app/config.server.ts'
import { restore } from '#app/db/backup/restore.server.ts'
import { type Databases, openDatabases } from '#app/db/databases.server.ts'
import { inScope, systemActor } from '#app/domain/scope/scope.server.ts'
import { holdMissed, tenantsWithDue } from '#app/domain/sending/hold-missed.server.ts'
import { readArguments } from './arguments.ts'
import { report } from './report.ts'

async function run(backup: string): Promise<string> {
  const config = getConfig()
  if (config.DATABASE_URL) throw new Error('DATABASE_URL is set: restore that PostgreSQL with its own tools.')
  let held = 0
  const target = { dataDir: config.DATA_DIR, filesDir: config.FILES_DIR }
  const note = await restore(backup, target, async () => {
    const databases = await openDatabases(config)
    try {
      held = await holdAll(databases)
    } finally {
      await databases.close()
    }
  })
  return `Restored what was acknowledged before ${note.made_at} into ${config.DATA_DIR}. ${held} lifts that were due since wait until somebody sends them.`
}

async function holdAll({ worker }: Databases): Promise<number> {
  let held = 0
  for (const tenant of await tenantsWithDue(worker))
    held += await inScope(worker, systemActor(tenant), holdMissed)
  return held
}

const [backup = ''] = readArguments({ usage: 'npm run restore -- <folder of a backup>', least: 1, most: 1 })
await report(run(backup))
