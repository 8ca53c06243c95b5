/** What the platform tells the embedded provider: who needs a second factor, who is admitted, who sends a message. */
import type { Kysely } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DEFAULT_POOL, keepDefaultPool } from '#app/auth/pools/pools.server.ts'
import { connect } from '#app/db/connect.server.ts'
import type { DB } from '#app/db/schema.ts'
import type { Message } from '#app/integrations/carrier.ts'
import { createHouse } from '#app/process/identity-host.server.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'

const ORIGIN = 'http://localhost:1'
const pool = DEFAULT_POOL

let database: TestDatabase
let stage: Kysely<DB>
let operator: string
let acme: string
const sent: Message[] = []

beforeAll(async () => {
  process.env.PUBLIC_ORIGIN = ORIGIN
  database = await createTestDatabase()
  stage = connect(database.adminUrl, { max: 1 })
  await keepDefaultPool(database.app, ORIGIN)
  operator = await addTenant('Liftwell', { is_operator: true })
  acme = await addTenant('Acme')
})
afterAll(async () => {
  await stage?.destroy()
  await database?.drop()
})
beforeEach(async () => {
  sent.length = 0
  await setPool({})
  await stage.updateTable('tenants').set({ settings: '{}', status: 'active' }).execute()
})

const house = (DEMO = false) =>
  createHouse({
    databases: { app: database.app },
    send: async (message) => void sent.push(message),
    config: { DEMO },
  })

async function addTenant(name: string, more: { is_operator?: boolean } = {}): Promise<string> {
  const { id } = await stage
    .insertInto('tenants')
    .values({ name, pool_id: pool, ...more })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

async function addPerson(tenant_id: string, sub: string, role: 'admin' | 'user', is_super_admin = false) {
  const { id: user_id } = await stage
    .insertInto('users')
    .values({ tenant_id, email: `${sub}@acme.example`, is_super_admin })
    .returning('id')
    .executeTakeFirstOrThrow()
  await stage.insertInto('user_general_roles').values({ tenant_id, user_id, role }).execute()
  const identity = { tenant_id, user_id, issuer: `${ORIGIN}/idp/${pool}`, subject: sub }
  await stage.insertInto('user_identities').values(identity).execute()
}

const setPool = (settings: object) =>
  stage
    .updateTable('pools')
    .set({ settings: JSON.stringify(settings) })
    .execute()

describe('A second factor', () => {
  it('is required of super admins, except in the demo', async () => {
    await addPerson(operator, 'sofia', 'admin', true)
    expect(await house().requiresMfa({ pool, sub: 'sofia' })).toBe(true)
    expect(await house(true).requiresMfa({ pool, sub: 'sofia' })).toBe(false)
  })

  it('is required of the administrators of a company that demands it', async () => {
    await addPerson(acme, 'adam', 'admin')
    await addPerson(acme, 'uri', 'user')
    const needs = (sub: string) => house().requiresMfa({ pool, sub })
    expect([await needs('adam'), await needs('uri')]).toEqual([false, false])
    const settings = JSON.stringify({ admins_need_second_factor: true })
    await stage.updateTable('tenants').set({ settings }).where('id', '=', acme).execute()
    expect([await needs('adam'), await needs('uri'), await needs('nobody')]).toEqual([true, false, false])
  })
})

describe('An account', () => {
  it('belongs to a person until they are deleted, even if disabled and in a company with another pool', async () => {
    await addPerson(acme, 'olga', 'user')
    const isSomebodys = () => house().hasPerson({ pool, sub: 'olga' })
    expect([await isSomebodys(), await house().hasPerson({ pool, sub: 'nobody' })]).toEqual([true, false])
    const elsewhere = {
      id: 'elsewhere',
      name: 'Elsewhere',
      kind: 'oidc',
      issuer: 'https://elsewhere.example',
    }
    await stage
      .insertInto('pools')
      .values({ ...elsewhere, client_id: 'c' })
      .execute()
    await stage.updateTable('tenants').set({ pool_id: 'elsewhere' }).where('id', '=', acme).execute()
    await stage
      .updateTable('users')
      .set({ activation_status: 'disabled' })
      .where('email', 'like', 'olga@%')
      .execute()
    expect(await isSomebodys()).toBe(true)
    await stage.updateTable('tenants').set({ pool_id: pool }).where('id', '=', acme).execute()
    await stage.deleteFrom('pools').where('id', '=', 'elsewhere').execute()
    await stage.deleteFrom('users').where('email', 'like', 'olga@%').execute()
    expect(await isSomebodys()).toBe(false)
  })
})

describe('A person who signed up', () => {
  const nina = {
    pool,
    sub: 'nina',
    email: 'nina@nowhere.example',
    attributes: { given_name: 'Nina', family_name: 'New', phone_number: '+15551234567' },
  }

  it('becomes a user, once, of the company that accepts sign-ups', async () => {
    await setPool({ sign_up: { tenant_id: acme } })
    for (let i = 0; i < 2; i += 1) await house().admit(nina)
    const people = await stage.selectFrom('users').selectAll().where('email', '=', nina.email).execute()
    expect(people).toMatchObject([
      { tenant_id: acme, first_name: 'Nina', last_name: 'New', is_super_admin: false, mobile_phone: null },
    ])
    const roles = await stage
      .selectFrom('user_general_roles')
      .select('role')
      .where('user_id', '=', people[0]?.id ?? 0)
      .execute()
    expect(roles).toEqual([{ role: 'user' }])
  })

  it('is not admitted if no company accepts sign-ups, it is inactive, or another one has the address', async () => {
    const ned = { ...nina, sub: 'ned', email: 'ned@nowhere.example' }
    await expect(house().admit(ned)).rejects.toThrow()
    await setPool({ sign_up: { tenant_id: acme } })
    await stage.updateTable('tenants').set({ status: 'inactive' }).where('id', '=', acme).execute()
    await expect(house().admit(ned)).rejects.toThrow()
    await stage.updateTable('tenants').set({ status: 'active' }).execute()
    await stage.insertInto('users').values({ tenant_id: operator, email: ned.email }).execute()
    await expect(house().admit(ned)).rejects.toThrow()
  })
})

describe('A message', () => {
  const message = {
    pool,
    channel: 'email',
    recipient: 'x@y.example',
    subject: 'S',
    body: 'B',
    key: 'k',
  } as const

  it('is sent for the person’s company, else for the one that accepts sign-ups, else for the operator', async () => {
    await addPerson(acme, 'mara', 'user')
    await house().deliver({ ...message, sub: 'mara' })
    await house().deliver({ ...message, sub: 'nobody' })
    await setPool({ sign_up: { tenant_id: acme } })
    await house().deliver({ ...message, sub: 'nobody' })
    expect(sent.map(({ tenant_id }) => tenant_id)).toEqual([acme, operator, acme])
    const why = 'You’re getting this e-mail because someone entered this address to sign in to Liftwell.'
    expect(sent[0]).toEqual({
      tenant_id: acme,
      key: 'k',
      channel: 'email',
      to: 'x@y.example',
      subject: 'S',
      text: `B\n\n-- \n${why}`,
      letter: { words: 'B', why },
    })
  })
})

describe('The pools', () => {
  it('report the settings of their screens, and ignore invalid ones', async () => {
    await setPool({
      sign_up: { tenant_id: acme },
      initial_screen: 'signUp',
      required_attributes: ['given_name', 'custom:team'],
      password_policy: { min_length: 12, require_numbers: true },
    })
    expect(await house().pools()).toMatchObject([
      {
        id: pool,
        screens: {
          sign_up: true,
          initial_screen: 'signUp',
          required_attributes: ['given_name', 'custom:team'],
        },
        password_policy: { min_length: 12, require_numbers: true, require_lowercase: false },
        reveals_users: false,
      },
    ])
    await setPool({
      sign_up: true,
      initial_screen: 'setupTotp',
      required_attributes: ['is_admin'],
      password_policy: 7,
    })
    expect(await house().pools()).toMatchObject([
      {
        screens: { sign_up: false, initial_screen: 'signIn', required_attributes: [] },
        password_policy: { min_length: 8 },
      },
    ])
  })
})
