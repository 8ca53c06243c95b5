/** A person who is deleted takes the account along: whoever has the address next begins anew. */
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openPool } from '#app/db/pool.server.ts'
import { createIdentity, type Identity } from '#app/identity/provider.server.ts'
import type { Workers } from '#app/jobs/workers.server.ts'
import { createJourneysWorld, createTestCarrier, type JourneysWorld } from './journeys-world.ts'

const EMAIL = 'desk@people.example'
const PASSWORD = 'the password of whoever was here first'
const { carriers, taken } = createTestCarrier()

let world: JourneysWorld
let admin: pg.Client
let identity: Identity
let workers: Workers

beforeAll(async () => {
  world = await createJourneysWorld()
  admin = new pg.Client({ connectionString: world.database.adminUrl })
  await admin.connect()
  identity = await createIdentity({
    database: openPool(world.database.identityUrl, { max: 3 }),
    origin: 'http://localhost',
    secret: 'a-secret-for-tests-of-at-least-32-characters',
    pools: async () => [],
    log: { info() {}, warn() {}, error() {} },
  })
  workers = await world.workers(carriers, { identityAdmin: identity.admin })
})
afterAll(async () => {
  await workers?.stop()
  await identity?.close()
  await admin?.end()
  await world?.drop()
})

async function invite(first_name: string): Promise<number> {
  const roles = { user_general_roles: [{ role: 'user', sub_tenant_id: null }] }
  const person = { first_name, last_name: 'Desk', email: EMAIL, ...roles, send_welcome: true }
  const { id } = await world.must('adam', 'POST', '/users', person)
  await workers.drain()
  return id
}

async function accounts(): Promise<{ pool: string; sub: string; status: string }[]> {
  const sql = 'select pool_id as pool, sub, status from identity.users where username = $1'
  return (await admin.query(sql, [EMAIL])).rows
}

it('forgets the account, and its password opens nothing of whoever is invited next', async () => {
  const first = await invite('First')
  const [{ pool, sub } = { pool: '', sub: '' }] = await accounts()
  await identity.admin.setPassword({ pool, email: EMAIL, password: PASSWORD })
  await world.must('adam', 'DELETE', `/users/${first}`)
  await workers.drain()
  expect(await accounts()).toEqual([])
  const { rows } = await admin.query('select password_hash, attributes from identity.users where sub = $1', [
    sub,
  ])
  expect(rows).toEqual([{ password_hash: null, attributes: {} }])

  await invite('Second')
  expect(taken.filter(({ to }) => to === EMAIL).map(({ text }) => text)).toEqual([
    expect.stringContaining('/invitation/'),
    expect.stringContaining('/invitation/'),
  ])
  const [next] = await accounts()
  expect(next).toMatchObject({ status: 'FORCE_CHANGE_PASSWORD' })
  const proof = { pool, sub: next?.sub ?? '', password: PASSWORD, ip: '::1' }
  await expect(identity.accounts.confirmPassword(proof)).rejects.toThrow()
})
