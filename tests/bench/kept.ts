/** The API in this process, called by an administrator of a company with many facts, which are written once and kept. */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { createApi } from '#app/api/app.server.ts'
import type { Principal } from '#app/auth/principal.ts'
import { connect } from '#app/db/connect.server.ts'
import { startEmbedded } from '#app/db/embedded/start.server.ts'
import { bringUpToDate } from '#app/db/migrate.server.ts'
import { derivePasswords, prepareDatabase } from '#app/db/prepare.server.ts'
import { withTarget } from '#app/db/url.ts'
import { createWorld } from '#tests/api/tenants/tenants-world.ts'
import { asAdmin } from '#tests/support/postgres.ts'
import { fillFacts } from './facts.ts'

const DATABASE = 'facts'

export async function openKept(facts: number) {
  const folder = process.env.BENCH_FACTS_DIR ?? join(tmpdir(), `liftwell-bench-facts-${facts}`)
  mkdirSync(folder, { recursive: true })
  chmodSync(folder, 0o755)
  // Autovacuum must not run during a measurement.
  const server = await startEmbedded({
    dataDir: folder,
    settings: { max_wal_size: '4GB', autovacuum: 'off' },
  })
  // Written last: without it an earlier run was interrupted.
  const done = join(folder, 'askers.json')
  if (!existsSync(done)) await asAdmin(server.adminUrl, `drop database if exists ${DATABASE} with (force)`)
  const passwords = derivePasswords(server.secret)
  const { ownerUrl, appUrl } = await prepareDatabase(server.adminUrl, { database: DATABASE, passwords })
  await bringUpToDate(ownerUrl)
  const admin = new pg.Client({ connectionString: withTarget(server.adminUrl, { database: DATABASE }) })
  await admin.connect()
  const database = connect(appUrl, { max: 5 })
  if (!existsSync(done)) {
    const { people } = await createWorld(database)
    await fillFacts(admin, people.adam, facts)
    writeFileSync(done, JSON.stringify({ large: people.adam, small: people.greta }))
  }
  const askers = JSON.parse(readFileSync(done, 'utf8')) as Record<'large' | 'small', Principal>
  const api = createApi({ database: () => database })
  return {
    admin,
    postgres: () => server.pid(),
    async ask(path: string, company: 'large' | 'small' = 'large') {
      const principal = askers[company]
      const request = new Request(`http://api.test/api/v1${path}`, {
        headers: { authorization: 'Bearer adam', 'x-tenant-id': principal.tenant_id },
      })
      const answer = await api.fetch(request, { caller: { token: 'adam', principal } })
      const text = await answer.text()
      if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${text.slice(0, 500)}`)
      return JSON.parse(text)
    },
    async close() {
      await admin.end()
      await database.destroy()
      await server.stop()
    },
  }
}
