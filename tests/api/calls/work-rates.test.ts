/** Rate limits of expensive calls per person, and of messages to one person. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApi } from '#app/api/app.server.ts'
import { limitWork } from '#app/api/work-limits.server.ts'
import { createWorld, type TenantsWorld } from '#tests/api/tenants/tenants-world.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'

let database: TestDatabase
let world: TenantsWorld
let api: ReturnType<typeof createApi>

beforeAll(async () => {
  database = await createTestDatabase()
  world = await createWorld(database.app)
  api = createApi({ database: () => database.app, limits: limitWork() })
})
afterAll(() => database?.drop())

const ask = (who: 'adam' | 'greta', method: string, path: string) => {
  const principal = world.people[who]
  const headers = { authorization: `Bearer ${who}`, 'x-tenant-id': principal.tenant_id }
  return api.fetch(new Request(`http://api.test/api/v1${path}`, { method, headers }), {
    caller: { token: who, principal },
  })
}

describe('Rate limits', () => {
  it.each([
    ['GET', '/users/export', 10],
    ['POST', '/auth/resend-welcome-email/999999', 20],
    ['POST', '/lifts/999999/send_test', 10],
    ['POST', '/users/me/contacts', 10],
  ] as const)('limit %s %s per person', async (method, path, most) => {
    for (let nth = 0; nth < most; nth++) expect((await ask('adam', method, path)).status).not.toBe(429)
    const refused = await ask('adam', method, path)
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true])
    expect(await refused.json()).toMatchObject({
      has_error: true,
      detail: expect.stringContaining('Too many requests'),
    })
    expect((await ask('greta', method, path)).status).not.toBe(429)
    expect((await ask('adam', 'GET', '/users')).status).toBe(200)
  })

  it('allow one invitation per minute to the same person', async () => {
    const person = {
      ...{ first_name: 'Pat', email: 'pat@minute.example', user_general_roles: [{ role: 'user' }] },
    }
    const { id } = (await world.call('adam', 'POST', '/users', { ...person, send_welcome: false })).json
    const path = `/auth/resend-welcome-email/${id}`
    const both = await Promise.all([1, 2].map(() => world.call('adam', 'POST', path, {})))
    expect(both.map(({ status }) => status).sort()).toEqual([200, 429])
    const soon = await world.call('adam', 'POST', path, {})
    expect([soon.status, soon.headers.get('retry-after')]).toEqual([429, '60'])
    const many = await world.call('adam', 'POST', '/auth/resend-welcome-email', { user_ids: [id] })
    expect(many.json.data).toEqual([{ user_id: id, result: 'too_soon' }])
  })
})
