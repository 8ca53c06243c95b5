/** `npm run db:types`: writes schema.ts from the migrations, on a database that exists only meanwhile. */
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbedded } from './embedded/start.server.ts'
import { migrate } from './migrate.server.ts'
import { PACKAGE_ROOT } from './package-root.ts'
import { derivePasswords, prepareDatabase } from './prepare.server.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'liftwell-types-'))
chmodSync(dataDir, 0o755)
const server = await startEmbedded({ dataDir, settings: { fsync: 'off' } })
try {
  const passwords = derivePasswords(server.secret)
  const { ownerUrl } = await prepareDatabase(server.adminUrl, { database: 'liftwell', passwords })
  await migrate(ownerUrl)
  const types = { int8: 'number', numeric: 'number', date: 'string', time: 'string', timestamp: 'string' }
  const options = [
    ['--dialect', 'postgres'],
    ['--url', ownerUrl],
    ['--out-file', join(PACKAGE_ROOT, 'app/db/schema.ts')],
    ['--exclude-pattern', '(identity.*|public.schema_migrations)'],
    ['--type-mapping', JSON.stringify(types)],
  ]
  execFileSync(join(PACKAGE_ROOT, 'node_modules/.bin/kysely-codegen'), options.flat(), { stdio: 'inherit' })
} finally {
  await server.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
