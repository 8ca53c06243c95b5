/** `npm run database:prepare -- <admin url> [database]`: makes an external PostgreSQL ready, and prints what to configure. */
import { randomBytes } from 'node:crypto'
import { bringUpToDate } from '../db/migrate.server.ts'
import { derivePasswords, prepareDatabase } from '../db/prepare.server.ts'
import { requireServer } from '../db/require-server.server.ts'

const [adminUrl, database = 'liftwell'] = process.argv.slice(2)

async function prepare(url: string): Promise<void> {
  await requireServer('The given address', url)
  const passwords = derivePasswords(randomBytes(32).toString('base64url'))
  const urls = await prepareDatabase(url, { database, passwords })
  await bringUpToDate(urls.ownerUrl)
  const lines = [
    `# The database "${database}" is ready. The passwords of its roles are new: the old ones no longer work.`,
    `DATABASE_URL=${urls.appUrl}`,
    `DATABASE_WORKER_URL=${urls.workerUrl}`,
    `DATABASE_IDENTITY_URL=${urls.identityUrl}`,
    '# Needed only when a new version brings migrations; better not kept where the application runs.',
    `DATABASE_OWNER_URL=${urls.ownerUrl}`,
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

if (adminUrl) {
  await prepare(adminUrl).catch((error: Error) => {
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  })
} else {
  process.stderr.write(
    'Usage: npm run database:prepare -- postgresql://admin:password@host:5432/postgres [database]\n',
  )
  process.exitCode = 2
}
