/** The demo in a database of its own, and an API that anybody of it may call. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { createApi } from '#app/api/app.server.ts'
import { DEFAULT_POOL, keepDefaultPool } from '#app/auth/pools.server.ts'
import type { Principal } from '#app/auth/principal.ts'
import { connect } from '#app/db/connect.server.ts'
import { seedDemo } from '#app/demo/seed.server.ts'
import { createTestDatabase } from './database.ts'

const ORIGIN = 'http://localhost:3000'

export async function createDemo() {
  const database = await createTestDatabase()
  const admin = connect(database.adminUrl, { max: 1 })
  const DATA_DIR = await mkdtemp(join(tmpdir(), 'liftwell-demo-'))
  await keepDefaultPool(database.app, ORIGIN)
  await seedDemo({
    database: database.app,
    config: { DATA_DIR },
    issuer: `${ORIGIN}/idp/${DEFAULT_POOL}`,
    pool_id: DEFAULT_POOL,
    makeAccount: async ({ email }) => `sub-of-${email}`,
  })
  const api = createApi(() => database.app)

  /** By anybody, as they are in the database at this moment. */
  async function call(email: string, method: string, path: string, body?: object, more: HeadersInit = {}) {
    const { rows } = await sql<Principal>`select p.* from users u, principal_of(u.id) p
      where u.email = ${email}`.execute(admin)
    const principal = rows[0]
    if (!principal) throw new Error(`Nobody in the demo is ${email}`)
    const headers = new Headers({ authorization: 'Bearer demo', ...more })
    if (body) headers.set('content-type', 'application/json')
    const request = new Request(`http://api.test/api/v1${path}`, {
      ...{ method, headers },
      ...(body && { body: JSON.stringify(body) }),
    })
    const caller = { token: 'demo', principal, has_second_factor: true }
    const response = await api.fetch(request, { caller })
    const text = await response.text()
    // biome-ignore lint/suspicious/noExplicitAny: what the API answered, looked at by the test
    return { status: response.status, text, json: (text.startsWith('{') ? JSON.parse(text) : null) as any }
  }

  return {
    call,
    admin,
    async drop() {
      await admin.destroy()
      await rm(DATA_DIR, { recursive: true, force: true })
      await database.drop()
    },
  }
}
