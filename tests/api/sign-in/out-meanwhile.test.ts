/** Requests whose caller loses access after they were authenticated, and before they write. */
import type pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createWorld, type TenantsWorld } from '#tests/api/tenants/tenants-world.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'

let database: TestDatabase
let world: TenantsWorld
let holder: pg.Client
let watcher: pg.Client

beforeAll(async () => {
  database = await createTestDatabase()
  world = await createWorld(database.app)
  holder = await database.connectAdmin()
  watcher = await database.connectAdmin()
})
afterAll(() => database?.drop())

/** Runs `change` after the request of `write` was authenticated, and before it writes. */
async function meanwhile<Answer>(
  of: number,
  write: () => Promise<Answer>,
  change: () => Promise<{ status: number }>,
): Promise<Answer> {
  await holder.query('begin')
  await holder.query(`select pg_advisory_xact_lock(hashtextextended($1, 0))`, [
    `${world.acme}erasure of ${of}`,
  ])
  const written = write()
  await expect.poll(database.countWaiting).toBe(1)
  expect((await change()).status).toBe(200)
  await holder.query('commit')
  return written
}

const journey = { name: 'Too late', category: 'Sales' }
const makes = (who: 'nora' | 'both') => () => world.call(who, 'POST', '/lljs', journey, { sub: world.north })
const made = async () => (await watcher.query(`select from journeys where name = $1`, [journey.name])).rows

it('a request writes nothing if its person is deactivated after it was authenticated', async () => {
  const { user_id } = world.people.nora
  const settle = (activation_status: string) =>
    world.call('adam', 'PATCH', `/users/${user_id}/activation`, { activation_status })
  const { status } = await meanwhile(user_id, makes('nora'), () => settle('disabled'))
  await settle('active')
  expect([status, await made()]).toEqual([401, []])
})

it('a request writes nothing if its person is deleted after it was authenticated', async () => {
  const { user_id } = world.people.both
  const gone = () => world.call('adam', 'DELETE', `/users/${user_id}`)
  const { status } = await meanwhile(user_id, makes('both'), gone)
  expect([status, await made()]).toEqual([401, []])
})

it('a request writes nothing if its API key is revoked after it was authenticated', async () => {
  const { json: key } = await world.call('nora', 'POST', '/api_keys', { name: 'Planner', role: 'admin' })
  const headers = { authorization: `Bearer ${key.secret}`, 'content-type': 'application/json' }
  const asked = () => ({ method: 'POST', headers, body: JSON.stringify(journey) })
  const ask = () => Promise.resolve(world.api.fetch(new Request('http://api.test/api/v1/lljs', asked())))
  const revoke = () => world.call('adam', 'DELETE', `/api_keys/${key.id}`)
  const answer = await meanwhile(world.people.nora.user_id, ask, revoke)
  expect([answer.status, await made()]).toEqual([401, []])
  expect((await answer.json()).detail).toMatch(/^This API key does not work/)
})
