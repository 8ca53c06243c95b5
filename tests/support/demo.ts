/** The demo in its own database, and an API that any of its people can call. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { inject } from 'vitest'
import { createApi } from '#app/api/app.server.ts'
import type { Principal } from '#app/auth/principal.ts'
import { connect } from '#app/db/connect.server.ts'
import { createDemoDatabase } from './demo-template.ts'

export async function createDemo() {
  const dataDir = await mkdtemp(join(tmpdir(), 'liftwell-demo-'))
  const database = await createDemoDatabase(inject('postgres'), dataDir)
  const admin = connect(database.adminUrl, { max: 1 })
  const api = createApi({ database: () => database.app })

  /** Calls as a person of the demo, with their current roles in the database. */
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
    database,
    dataDir,
    async drop() {
      await admin.destroy()
      await rm(dataDir, { recursive: true, force: true })
      await database.drop()
    },
  }
}
