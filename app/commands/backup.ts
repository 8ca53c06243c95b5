/** `npm run backup [-- <folder>]`: backs up the embedded database and the files while Liftwell runs. */
import { join } from 'node:path'
import { getConfig } from '#app/config.server.ts'
import { backUp } from '#app/db/backup/backup.server.ts'
import { readArguments } from './arguments.ts'
import { report } from './report.ts'

const [given] = readArguments({ usage: 'npm run backup [-- <new folder>]', most: 1 })
const config = getConfig()
const stamp = new Date().toISOString().slice(0, 19).replaceAll(':', '-')
const target = given ?? join('backups', `liftwell-${stamp}`)

async function run(): Promise<string> {
  if (config.DATABASE_URL)
    throw new Error(
      'DATABASE_URL is set: back that PostgreSQL up with its own tools, and keep APP_SECRET beside it.',
    )
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort())
  const source = { dataDir: config.DATA_DIR, filesDir: config.FILES_DIR }
  const { made_at, removed } = await backUp(source, target, stopping.signal)
  const left = removed.map((draft) => `Removed ${draft}, which an interrupted backup had left.\n`).join('')
  return `${left}Backed up to ${target}: everything acknowledged before ${made_at}. It holds secrets: keep it private.`
}

await report(run())
