/** Deleting a person deletes their account, so the next owner of the address starts with a new one. */
import type pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openPool } from '#app/db/pool.server.ts'
import { addJob } from '#app/db/queue.server.ts'
import { inScope, systemActor } from '#app/domain/scope/scope.server.ts'
import { createIdentity, type Identity } from '#app/identity/provider.server.ts'
import type { Workers } from '#app/jobs/workers.server.ts'
import { createHouse } from '#app/process/identity-host.server.ts'
import {
  createJourneysWorld,
  createTestCarrier,
  type JourneysWorld,
} from '#tests/api/journeys/journeys-world.ts'

const EMAIL = 'desk@people.example'
const PASSWORD = 'the password of whoever was here first'
const { carriers, taken } = createTestCarrier()

let world: JourneysWorld
let admin: pg.Client
let identity: Identity
let workers: Workers

beforeAll(async () => {
  world = await createJourneysWorld()
  admin = await world.database.connectAdmin()
  identity = await createIdentity({
    database: openPool(world.database.identityUrl, { max: 3 }),
    origin: 'http://localhost',
    secret: 'a-secret-for-tests-of-at-least-32-characters',
    log: { info() {}, warn() {}, error() {} },
    ...createHouse({ databases: { app: world.database.app }, send: async () => {}, config: { DEMO: false } }),
  })
  workers = await world.workers(carriers, { identityAdmin: identity.admin })
})
afterAll(async () => {
  await workers?.stop()
  await identity?.close()
  await world?.drop()
})

async function invite(first_name: string, email = EMAIL): Promise<number> {
  const roles = { user_general_roles: [{ role: 'user', sub_tenant_id: null }] }
  const person = { first_name, last_name: 'Desk', email, ...roles, send_welcome: true }
  const { id } = await world.must('adam', 'POST', '/users', person)
  await workers.drain()
  return id
}

async function accounts(
  email = EMAIL,
): Promise<{ pool: string; sub: string; status: string; password_hash: string }[]> {
  const sql = 'select pool_id as pool, sub, status, password_hash from identity.users where username = $1'
  return (await admin.query(sql, [email])).rows
}

it('deleting a person erases their account, and its password does not work for the next owner', async () => {
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

it('a person invited before the old account is erased gets a new account', async () => {
  const [{ pool, sub } = { pool: '', sub: '' }] = await accounts()
  await identity.admin.setPassword({ pool, email: EMAIL, password: PASSWORD })
  const { rows } = await admin.query('select id::int from users where email = $1', [EMAIL])
  await world.must('adam', 'DELETE', `/users/${rows[0].id}`)
  const waiting = `update graphile_worker._private_jobs set run_at = $1 where key like '%:erase-accounts:%'`
  await admin.query(waiting, ['tomorrow'])
  await invite('Third')
  const [next] = await accounts()
  expect(next).toMatchObject({ status: 'FORCE_CHANGE_PASSWORD' })
  expect(next?.sub).not.toBe(sub)
  await admin.query(waiting, ['now'])
  await workers.drain()
  expect(await accounts()).toEqual([next])
})

/** Stores the new address here, but not yet at the provider. */
async function rename(id: number, former: string, email: string): Promise<void> {
  await admin.query('update users set email = $1 where id = $2', [email, id])
  await inScope(world.database.app, systemActor(world.acme), ({ db }) =>
    addJob(
      db,
      'change-address',
      { user_id: id, former, nonce: 'n' },
      { run_at: new Date(Date.now() + 60_000) },
    ),
  )
}
const due = () => admin.query('update graphile_worker._private_jobs set run_at = now()')
const subjectOf = async (id: number): Promise<string | undefined> =>
  (await admin.query('select subject from user_identities where user_id = $1', [id])).rows[0]?.subject

it.each(['active', 'disabled'])(
  'an account of a person who is %s stays theirs until the provider has their new address',
  async (status) => {
    const [former, email] = [`former-${status}@people.example`, `${status}@people.example`]
    const id = await invite('Moving', former)
    const [own] = await accounts(former)
    if (status === 'disabled')
      await world.must('adam', 'PATCH', `/users/${id}/activation`, { activation_status: status })
    await workers.drain()
    await rename(id, former, email)

    const next = await invite('Next', former)
    expect([await subjectOf(id), await accounts(former)]).toEqual([own?.sub, [own]])
    expect(await subjectOf(next)).toBeUndefined()

    await due()
    await workers.drain()
    await due()
    await workers.drain()
    expect(await accounts(email)).toEqual([own])
    const [theirs] = await accounts(former)
    expect(await subjectOf(next)).toBe(theirs?.sub)
  },
)

it('an account cannot take the address of another person’s account, even of a disabled one', async () => {
  const [one, other] = ['one@people.example', 'other@people.example']
  const id = await invite('One', one)
  await invite('Other', other)
  const [{ pool, sub } = { pool: '', sub: '' }] = await accounts(one)
  const [theirs] = await accounts(other)
  await identity.admin.setEnabled({ pool, sub: theirs?.sub ?? '', enabled: false })
  await expect(identity.admin.changeEmail({ pool, sub, email: other })).rejects.toThrow('User already exists')
  expect(await accounts(other)).toEqual([theirs])
  expect(await subjectOf(id)).toBe(sub)
})

it('a person invited again before the provider has their new address keeps their account', async () => {
  const [former, email] = ['before@people.example', 'after@people.example']
  const id = await invite('Again', former)
  const [own] = await accounts(former)
  await rename(id, former, email)
  await world.must('adam', 'POST', `/auth/resend-welcome-email/${id}`, {})
  await workers.drain()
  expect(await subjectOf(id)).toBe(own?.sub)
  await due()
  await workers.drain()
  expect([await accounts(former), await accounts(email)]).toMatchObject([[], [{ sub: own?.sub }]])
})

it('an erased account cannot get a new address', async () => {
  await invite('Late', 'late@people.example')
  const [{ pool, sub } = { pool: '', sub: '' }] = await accounts('late@people.example')
  await identity.admin.erase({ pool, sub })
  // As in a change of address that began before the erasure.
  await expect(identity.admin.changeEmail({ pool, sub, email: 'later@people.example' })).rejects.toThrow(
    'User does not exist',
  )
  expect(await accounts('later@people.example')).toEqual([])
})

it('an account is enabled if its person is activated before the provider learns of the deactivation', async () => {
  const email = 'back@people.example'
  const id = await invite('Back', email)
  const activation = (activation_status: string) =>
    world.must('adam', 'PATCH', `/users/${id}/activation`, { activation_status })
  const isEnabled = async () =>
    (await admin.query('select enabled from identity.users where username = $1', [email])).rows[0].enabled
  await activation('disabled')
  let isFirst = true
  const slow = await world.workers(carriers, {
    identityAdmin: {
      ...identity.admin,
      async setEnabled(account) {
        if (isFirst) {
          isFirst = false
          await activation('active')
          await workers.drain()
        }
        await identity.admin.setEnabled(account)
      },
    },
  })
  await slow.drain()
  await slow.stop()
  expect(await isEnabled()).toBe(true)
  await activation('disabled')
  await workers.drain()
  expect(await isEnabled()).toBe(false)
})

it('an account is disabled by a job that was queued before an upgrade', async () => {
  const email = 'queued@people.example'
  await invite('Queued', email)
  const [{ pool, sub } = { pool: '', sub: '' }] = await accounts(email)
  await inScope(world.database.app, systemActor(world.acme), ({ db }) =>
    addJob(db, 'settle-accounts', { accounts: [{ pool, sub }], enabled: false }),
  )
  await workers.drain()
  const { rows } = await admin.query('select enabled from identity.users where sub = $1', [sub])
  expect(rows).toEqual([{ enabled: false }])
})
