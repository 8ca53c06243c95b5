/** `npm run db:types`: writes schema.ts from the migrations, using a temporary database. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbedded } from '../db/embedded/start.server.ts'
import { generateTypes } from '../db/generate-types.ts'
import { migrate } from '../db/migrate.server.ts'
import { derivePasswords, prepareDatabase } from '../db/prepare.server.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'liftwell-types-'))
chmodSync(dataDir, 0o755)
const server = await startEmbedded({ dataDir, settings: { fsync: 'off' } })
try {
  const passwords = derivePasswords(server.secret)
  const { ownerUrl } = await prepareDatabase(server.adminUrl, { database: 'liftwell', passwords })
  await migrate(ownerUrl)
  generateTypes(ownerUrl)
} finally {
  await server.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
