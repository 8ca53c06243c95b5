import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { countTenants } from '#app/jobs/count-tenants.server.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { createWorld, namesOf, type TenantsWorld, UNKNOWN } from './tenants-world.ts'

let database: TestDatabase
let world: TenantsWorld

beforeAll(async () => {
  database = await createTestDatabase()
  world = await createWorld(database.app)
})
afterAll(() => database?.drop())

describe('The list of tenants', () => {
  it('shows a super admin every customer, but not the operator’s tenant', async () => {
    const list = await world.call('sofia', 'GET', '/tenants')
    expect(list.status).toBe(200)
    expect(namesOf(list.json).sort()).toEqual(['Acme', 'Globex'])
    expect(list.json.pagination).toEqual({ current_page: 1, total_pages: 1, total: 2, per_page: 20 })
    expect(list.headers.get('cache-control')).toBe('no-store')
  })

  it('can be ordered, paged without overlap, and searched regardless of case', async () => {
    const first = await world.call('sofia', 'GET', '/tenants?order_by=name&order=asc&per_page=1')
    const second = await world.call('sofia', 'GET', '/tenants?order_by=name&order=asc&per_page=1&page=2')
    expect([...namesOf(first.json), ...namesOf(second.json)]).toEqual(['Acme', 'Globex'])
    expect(first.json.pagination.total_pages).toBe(2)
    expect(namesOf((await world.call('sofia', 'GET', '/tenants?q=gLOB')).json)).toEqual(['Globex'])
    expect(namesOf((await world.call('sofia', 'GET', '/tenants?q=acme%20nor')).json)).toEqual(['Acme'])
    expect(namesOf((await world.call('sofia', 'GET', '/tenants?q=%25')).json)).toEqual([])
    expect((await world.call('sofia', 'GET', '/tenants?q=%00')).status).toBeLessThan(500)
  })

  it('includes the sub-tenants if the request asks for them', async () => {
    const list = await world.call('sofia', 'GET', '/tenants?include_sub_tenants=true&q=Acme')
    expect(list.json.data[0].sub_tenants.map((one: { name: string }) => one.name)).toEqual([
      'Acme North',
      'Acme South',
    ])
    expect(list.json.data[0]).toMatchObject({
      has_sub_tenants: true,
      customer_type: 'Multi Tenant',
      llj_categories: ['Sales'],
    })
    expect((await world.call('sofia', 'GET', '/tenants')).json.data[0].sub_tenants).toBeUndefined()
  })

  it('shows how many people and running journeys each tenant has, after they were counted', async () => {
    const sizes = async () => {
      const { json } = await world.call('sofia', 'GET', '/tenants?order_by=name&order=asc')
      return json.data.map((one: Record<string, unknown>) => [one.people, one.running_journeys])
    }
    expect(await sizes()).toEqual([
      [null, null],
      [null, null],
    ])
    const plan = { category: 'Sales' }
    for (const name of ['Running', 'Draft']) await world.call('adam', 'POST', '/lljs', { name, ...plan })
    const admin = await database.connectAdmin()
    await admin.query(`update journeys set status = 'active' where name = 'Running'`)
    const { rows } = await admin.query(
      `select count(*)::int as people from users where tenant_id = any ($1) group by tenant_id order by tenant_id = $2 desc`,
      [[world.acme, world.globex], world.acme],
    )
    await countTenants({ database: database.worker })
    expect(await sizes()).toEqual([
      [rows[0].people, 1],
      [rows[1].people, 0],
    ])
    expect((await world.call('uri', 'GET', '/tenants/me')).json).not.toHaveProperty('people')
  })

  it.each([
    'page=-1',
    'page=0',
    'page=1e308',
    'page=9007199254740992',
    'page=NaN',
    'order=drop:table',
    'order_by=drop',
    'per_page=1000000',
  ])('refuses ?%s', async (query) => {
    const list = await world.call('sofia', 'GET', `/tenants?${query}`)
    expect(list.status).toBe(422)
    expect(list.json.has_error).toBe(true)
  })

  it.each(['adam', 'aya', 'uri', 'nora'] as const)('is refused to %s', async (who) => {
    expect((await world.call(who, 'GET', '/tenants')).status).toBe(403)
  })

  it('is refused to a super admin inside a tenant', async () => {
    expect((await world.call('sofia', 'GET', '/tenants', undefined, { as: world.acme })).status).toBe(403)
  })
})

describe('A tenant', () => {
  it('is returned with its administrators, equally to its people and to super admins', async () => {
    const { json } = await world.call('adam', 'GET', '/tenants/me')
    expect(json).toMatchObject({
      id: world.acme,
      name: 'Acme',
      timezone: 'Europe/Vienna',
      logo: null,
      lock_version: 0,
    })
    expect(json.admins).toEqual([
      expect.objectContaining({ first_name: 'Adam', activation_status: 'active' }),
    ])
    expect((await world.call('sofia', 'GET', `/tenants/${world.acme}`)).json).toEqual(json)
  })

  it('gets the same 404, byte for byte, whether it is foreign, unknown or not an id', async () => {
    const foreign = await world.call('adam', 'GET', `/tenants/${world.globex}`)
    expect(foreign.status).toBe(404)
    for (const path of [UNKNOWN, world.home, 'nonsense', '1', `${world.globex}0`]) {
      expect((await world.call('adam', 'GET', `/tenants/${path}`)).text).toBe(foreign.text)
    }
    expect((await world.call('sofia', 'GET', `/tenants/${UNKNOWN}`)).text).toBe(foreign.text)
    expect((await world.call('adam', 'PUT', `/tenants/${world.globex}`, { name: 'Mine' })).text).toBe(
      foreign.text,
    )
    expect((await world.call('adam', 'DELETE', `/tenants/${world.globex}`)).text).toBe(foreign.text)
  })

  it('hides its other sub-tenants from people who belong to one', async () => {
    const { json } = await world.call('nora', 'GET', '/tenants/me')
    expect(json.sub_tenants.map((one: { id: string }) => one.id)).toEqual([world.north])
  })

  it('cannot be changed or deleted by its own administrator', async () => {
    expect((await world.call('adam', 'PUT', `/tenants/${world.acme}`, { name: 'Mine' })).status).toBe(403)
    expect((await world.call('adam', 'DELETE', '/tenants/me')).status).toBe(403)
    expect((await world.call('adam', 'POST', '/tenants', { name: 'Mine' })).status).toBe(403)
  })
})

describe('A list of choices', () => {
  it('of tenants to enter has all customers for a super admin, even inside a tenant', async () => {
    const outside = await world.call('sofia', 'GET', '/tenants/data')
    const inside = await world.call('sofia', 'GET', '/tenants/data', undefined, { as: world.acme })
    expect(namesOf(outside.json)).toEqual(expect.arrayContaining(['Acme', 'Globex']))
    expect(inside.json).toEqual(outside.json)
    expect(namesOf(inside.json)).not.toContain('Liftwell')
  })

  it('of tenants and sub-tenants has only those that are open to the person', async () => {
    expect(namesOf((await world.call('greta', 'GET', '/tenants/data')).json)).toEqual(['Globex'])
    const subs = async (who: 'adam' | 'nora' | 'both') =>
      namesOf((await world.call(who, 'GET', '/tenants/tenant/sub_tenants/data')).json)
    expect(await subs('adam')).toEqual(['Acme North', 'Acme South'])
    expect(await subs('nora')).toEqual(['Acme North'])
    expect(await subs('both')).toEqual(['Acme North', 'Acme South'])
  })

  it('of time zones has their current names', async () => {
    const { json } = await world.call('uri', 'GET', '/tenants/timezones')
    expect(json).toEqual(expect.arrayContaining(['UTC', 'Europe/Vienna', 'Asia/Kolkata', 'Europe/Kyiv']))
    expect(json).not.toContain('Asia/Calcutta')
  })
})
