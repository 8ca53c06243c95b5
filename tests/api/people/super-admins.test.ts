/** Two changes of super admins at the same moment take turns, and the second one sees the result of the first. */
import type pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { inScope, type Scope, systemActor } from '#app/domain/scope/scope.server.ts'
import { addSuperAdmin, removeSuperAdmin } from '#app/domain/users/super-admins.server.ts'
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

type Change = (scope: Scope) => Promise<void>

/** Starts both before either can lock the operator's row. */
async function atOnce(...changes: [Change, Change]): Promise<string[]> {
  await holder.query('begin')
  await holder.query('select from tenants where is_operator for key share')
  const running = changes.map((change) =>
    inScope(database.worker, systemActor(world.home), change).then(
      () => 'done',
      (error: { detail?: unknown }) => String(error.detail ?? error),
    ),
  )
  await expect.poll(database.countWaiting).toBe(2)
  await holder.query('commit')
  return (await Promise.all(running)).sort()
}

const add =
  (email: string): Change =>
  (scope) =>
    addSuperAdmin(scope, email)
const remove =
  (email: string): Change =>
  (scope) =>
    removeSuperAdmin(scope, email)
const count = async (query: string, ...values: string[]) =>
  Number((await watcher.query(query, values)).rows[0].count)
const noted = (action: string) =>
  count(`select count(*) from audit_events where action = 'super_admin.' || $1`, action)
const invitations = () =>
  count(`select count(*) from graphile_worker.jobs where task_identifier = 'invite-user'`)

it('two requests at once add two super admins', async () => {
  expect(await atOnce(add('one@platform.example'), add('two@platform.example'))).toEqual(['done', 'done'])
  expect([await noted('added'), await invitations()]).toEqual([2, 2])
})

it('two requests at once for the same new super admin add one', async () => {
  const email = 'three@platform.example'
  expect(await atOnce(add(email), add(email))).toEqual(['done', `${email} is a super admin already.`])
  expect([await noted('added'), await invitations()]).toEqual([3, 3])
})

it('two requests at once remove a super admin once, and then add them again once', async () => {
  const email = 'three@platform.example'
  const gone = [`No super admin has the e-mail address ${email}.`, 'done']
  expect(await atOnce(remove(email), remove(email))).toEqual(gone)
  expect(await noted('removed')).toBe(1)
  expect(await atOnce(add(email), add(email))).toEqual(['done', `${email} is a super admin already.`])
  expect([await noted('added'), await invitations()]).toEqual([4, 4])
})

it('ends the sessions and access tokens of a super admin who is removed', async () => {
  const email = 'two@platform.example'
  await watcher.query(
    `insert into sessions (tenant_id, user_id, id_hash, pool_id, tokens_sealed, access_expires_at, expires_at, token_hash)
      select u.tenant_id, u.id, 'session', p.id, 'sealed', now() + interval '1 hour', now() + interval '1 hour', 'token'
      from users u, pools p where u.email = $1 and p.is_default`,
    [email],
  )
  await inScope(database.worker, systemActor(world.home), remove(email))
  expect(await count(`select count(*) from sessions where id_hash = 'session'`)).toBe(0)
  expect(await count(`select count(*) from ended_tokens where token_hash = 'token'`)).toBe(1)
})

it('two requests at once to remove the last two super admins leave one', async () => {
  const { email } = world.people.sofia
  const other = 'one@platform.example'
  await watcher.query(`update users set activation_status = 'active' where email = $1`, [other])
  const [done, refused] = await atOnce(remove(email), remove(other))
  expect([done, refused]).toEqual([
    'done',
    expect.stringContaining('is the only super admin who can sign in'),
  ])
  expect(
    await count(`select count(*) from users where is_super_admin and activation_status = 'active'`),
  ).toBe(1)
})
