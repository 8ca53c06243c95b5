/** `npm run restore -- <backup>`: restores into an empty DATA_DIR. What fell due since the backup waits for a person. */
import { getConfig } from '#app/config.server.ts'
import { restore } from '#app/db/backup/restore.server.ts'
import { openDatabases } from '#app/db/databases.server.ts'
import { installQueue } from '#app/db/queue.server.ts'
import { log } from '#app/integrations/log.server.ts'
import { settleRestored } from '#app/jobs/sending/settle-restored.server.ts'
import { readArguments } from './arguments.ts'
import { report } from './report.ts'

async function run(backup: string): Promise<string> {
  const config = getConfig()
  if (config.DATABASE_URL) throw new Error('DATABASE_URL is set: restore that PostgreSQL with its own tools.')
  let settled = { held: 0, dropped: 0 }
  const target = { dataDir: config.DATA_DIR, filesDir: config.FILES_DIR }
  const note = await restore(backup, target, async () => {
    const databases = await openDatabases(config)
    try {
      if (databases.ownerUrl) await installQueue(databases.ownerUrl)
      settled = await settleRestored(databases, log)
    } finally {
      await databases.close()
    }
  })
  return `Restored what was acknowledged before ${note.made_at} into ${config.DATA_DIR}. ${settled.held} lifts that were due since wait until somebody sends them, and ${settled.dropped} other messages about journeys are not sent.`
}

const [backup = ''] = readArguments({ usage: 'npm run restore -- <folder of a backup>', least: 1, most: 1 })
await report(run(backup))
