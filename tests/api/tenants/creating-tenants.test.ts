import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { createWorld, namesOf, type TenantsWorld, UNKNOWN } from './tenants-world.ts'

let database: TestDatabase
let world: TenantsWorld

beforeAll(async () => {
  database = await createTestDatabase()
  world = await createWorld(database.app)
})
afterAll(() => database?.drop())

describe('Creating a tenant', () => {
  it('stores all fields, and invites the administrators', async () => {
    const created = await world.call('sofia', 'POST', '/tenants', {
      name: '  Initech  ',
      industry: 'Software',
      customer_type: 'Multi Tenant',
      timezone: 'asia/calcutta',
      plan: 'Team',
      llj_categories: ['Sales', 'Safety', 'sales'],
      admins: [{ first_name: 'Bill', last_name: 'L', email: 'Bill@Initech.example' }],
    })
    expect(created.status).toBe(201)
    expect(created.json).toMatchObject({
      name: 'Initech',
      status: 'active',
      timezone: 'Asia/Kolkata',
      llj_categories: ['Sales', 'Safety'],
      admins: [{ first_name: 'Bill', email: 'bill@initech.example', activation_status: 'invited' }],
    })
    expect((await world.call('sofia', 'GET', `/tenants/${created.json.id}`)).json).toEqual(created.json)
  })

  it('logs a sub-tenant’s new administrator once, as created and as made an administrator', async () => {
    const admins = [{ first_name: 'Bea', email: 'bea@acme.example' }]
    const path = `/tenants/${world.acme}/sub_tenants/${world.north}`
    for (const name of ['North', 'Acme North'])
      expect((await world.call('sofia', 'PUT', path, { name, admins })).status).toBe(200)
    const { json } = await world.call('adam', 'GET', '/audit_events?subject=bea')
    expect(json.data).toMatchObject([
      { action: 'user.made_admin', sub_tenant_id: world.north, on_behalf_of: world.acme },
      {
        action: 'user.created',
        sub_tenant_id: world.north,
        changes: { email: 'bea@acme.example', roles: [{ role: 'admin', sub_tenant_id: world.north }] },
      },
    ])
  })

  it('refuses a taken name, regardless of case, and a taken e-mail address', async () => {
    const taken = await world.call('sofia', 'POST', '/tenants', { name: 'aCME' })
    expect(taken.status).toBe(409)
    expect(taken.json.detail).toEqual({ name: ['Another tenant already has this name.'] })
    const admins = [{ first_name: 'Adam', email: world.people.adam.email }]
    const known = await world.call('sofia', 'POST', '/tenants', { name: 'Umbrella', admins })
    expect(known.status).toBe(409)
    expect(Object.keys(known.json.detail)).toEqual(['admins.0.email'])
    expect(namesOf((await world.call('sofia', 'GET', '/tenants?q=Umbrella')).json)).toEqual([])
  })

  it('reports all taken names and addresses at once, each at its field, also for a sub-tenant', async () => {
    const NAME = expect.stringContaining('already has this name')
    const EMAIL = 'Someone with this e-mail address already has an account.'
    const { adam, uri } = world.people
    const admins = [
      { first_name: 'A', email: adam.email.toUpperCase() },
      { first_name: 'B', email: 'free@initech.example' },
      { first_name: 'C', email: uri.email },
    ]
    const emails = { 'admins.0.email': [EMAIL], 'admins.2.email': [EMAIL] }
    const tell = async (method: string, path: string, body: object) => {
      const answer = await world.call('sofia', method, path, body)
      return [answer.status, answer.json.detail]
    }
    const all = [409, { name: [NAME], ...emails }]
    expect(await tell('POST', '/tenants', { name: 'Acme', admins })).toEqual(all)
    expect(await tell('POST', '/tenants', { name: 'Umbrella', admins })).toEqual([409, emails])
    const made = await world.call('sofia', 'POST', '/tenants', {
      name: 'Vand',
      customer_type: 'Multi Tenant',
    })
    const path = `/tenants/${made.json.id}`
    expect(await tell('PUT', path, { name: 'Acme', admins })).toEqual(all)
    expect((await world.call('sofia', 'POST', `${path}/sub_tenants`, { name: 'East' })).status).toBe(201)
    expect(await tell('POST', `${path}/sub_tenants`, { name: 'east', admins })).toEqual(all)
  })

  it('refuses an administrator whose account is deactivated', async () => {
    const { user_id, email } = world.people.uri
    const activation = (activation_status: string) =>
      world.call('adam', 'PATCH', `/users/${user_id}/activation`, { activation_status })
    await activation('disabled')
    const admins = [{ first_name: 'U', email }]
    for (const path of [`/tenants/${world.acme}`, `/tenants/${world.acme}/sub_tenants/${world.north}`]) {
      const { status, json } = await world.call('sofia', 'PUT', path, { admins })
      expect([path, status, Object.keys(json.detail)]).toEqual([path, 409, ['admins.0.email']])
    }
    await activation('active')
  })

  it.each([
    [{ name: '' }, 'name'],
    [{ name: ' \u200b ' }, 'name'],
    [{ name: 'a\u0000b' }, 'name'],
    [{ name: 'x'.repeat(121) }, 'name'],
    [{}, 'name'],
    [{ name: 'Hooli', timezone: 'Mars/Olympus' }, 'timezone'],
    [{ name: 'Hooli', timezone: '+05:30' }, 'timezone'],
    [{ name: 'Hooli', customer_type: 'Huge' }, 'customer_type'],
    [{ name: 'Hooli', status: 'deleted' }, 'status'],
    [{ name: 'Hooli', is_operator: true }, 'is_operator'],
    [{ name: 'Hooli', tenant_id: UNKNOWN }, 'tenant_id'],
    [{ name: 'Hooli', llj_categories: ['a'.repeat(81)] }, 'llj_categories.0'],
    [{ name: 'Hooli', admins: [{ first_name: 'A', email: 'nobody' }] }, 'admins.0.email'],
    [
      { name: 'Hooli', admins: [{ first_name: 'A', email: 'a@b.example', is_super_admin: true }] },
      'is_super_admin',
    ],
  ])('refuses %j', async (input, field) => {
    const answer = await world.call('sofia', 'POST', '/tenants', input)
    expect(answer.status).toBe(422)
    expect(Object.keys(answer.json.detail)).toEqual([field])
  })

  it('answers hostile JSON with 400 or 422', async () => {
    for (const body of [
      '{',
      '[]',
      'null',
      '"x"',
      '{"name":"H","__proto__":{"is_operator":true}}',
      `${'['.repeat(20_000)}`,
    ]) {
      const answer = await world.call('sofia', 'POST', '/tenants', body)
      expect([400, 422]).toContain(answer.status)
      expect(answer.json.has_error).toBe(true)
    }
  })

  it('happens once per Idempotency-Key, and repeats get the same bytes', async () => {
    const first = await world.call('sofia', 'POST', '/tenants', { name: 'Once' }, { key: 'k-1' })
    const again = await world.call('sofia', 'POST', '/tenants', { name: 'Once' }, { key: 'k-1' })
    expect(first.status).toBe(201)
    expect([again.status, again.text]).toEqual([201, first.text])
    const other = await world.call('sofia', 'POST', '/tenants', { name: 'Twice' }, { key: 'k-1' })
    expect(other.status).toBe(422)
    expect(namesOf((await world.call('sofia', 'GET', '/tenants?q=Once')).json)).toEqual(['Once'])
  })

  it('succeeds for one of four requests with the same name at the same moment', async () => {
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => world.call('sofia', 'POST', '/tenants', { name: 'Race' })),
    )
    expect(answers.map((one) => one.status).sort()).toEqual([201, 409, 409, 409])
  })
})
