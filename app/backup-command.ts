/** `npm run backup [-- <folder>]`: a backup of the embedded database and the files, while all goes on. */
import { join } from 'node:path'
import { getConfig } from '#app/config.server.ts'
import { backUp } from '#app/db/backup.server.ts'

const config = getConfig()
const stamp = new Date().toISOString().slice(0, 19).replaceAll(':', '-')
const target = process.argv[2] ?? join('backups', `liftwell-${stamp}`)

async function run(): Promise<string> {
  if (config.DATABASE_URL)
    throw new Error(
      'DATABASE_URL is set: back that PostgreSQL up with its own tools, and keep APP_SECRET beside it.',
    )
  const { made_at } = await backUp({ dataDir: config.DATA_DIR, filesDir: config.FILES_DIR }, target)
  return `Backed up to ${target}: everything acknowledged before ${made_at}. It holds secrets: keep it private.`
}

await run().then(
  (said) => void process.stdout.write(`${said}\n`),
  (error: Error) => {
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  },
)
