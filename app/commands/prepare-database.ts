/** `npm run database:prepare -- <admin url> [database]`: makes an external PostgreSQL ready, and prints what to configure. */
import { randomBytes } from 'node:crypto'
import { bringUpToDate } from '../db/migrate.server.ts'
import { derivePasswords, prepareDatabase } from '../db/prepare.server.ts'
import { requireServer } from '../db/require-server.server.ts'
import { readArguments } from './arguments.ts'
import { report } from './report.ts'

const [adminUrl = '', database = 'liftwell'] = readArguments({
  usage: 'npm run database:prepare -- postgresql://admin:password@host:5432/postgres [database]',
  least: 1,
  most: 2,
})

async function prepare(url: string): Promise<string> {
  if (!/^postgres(ql)?:\/\//.test(url))
    throw new Error('The given address is none of a PostgreSQL: it begins with postgresql://.')
  await requireServer('The given address', url)
  const passwords = derivePasswords(randomBytes(32).toString('base64url'))
  const urls = await prepareDatabase(url, { database, passwords })
  await bringUpToDate(urls.ownerUrl)
  return [
    `# The database "${database}" is ready. The passwords of its roles are new: the old ones no longer work.`,
    `DATABASE_URL=${urls.appUrl}`,
    `DATABASE_WORKER_URL=${urls.workerUrl}`,
    `DATABASE_IDENTITY_URL=${urls.identityUrl}`,
    '# Needed only when a new version brings migrations; better not kept where the application runs.',
    `DATABASE_OWNER_URL=${urls.ownerUrl}`,
  ].join('\n')
}

await report(prepare(adminUrl))
