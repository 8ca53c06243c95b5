import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inScope, operatorActor, type Scope } from '#app/domain/scope.server.ts'
import type { SubTenantInput } from '#app/domain/tenants/sub-tenant.ts'
import { createSubTenant } from '#app/domain/tenants/sub-tenants.server.ts'
import { updateTenant } from '#app/domain/tenants/tenants.server.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { type Answer, createWorld, type TenantsWorld } from './tenants-world.ts'

let database: TestDatabase
let world: TenantsWorld
const UNKNOWN = '0b8f1f6e-5f0e-4b0a-9a51-0f0f0f0f0f0f'

beforeAll(async () => {
  database = await createTestDatabase()
  world = await createWorld(database.app)
})
afterAll(() => database?.drop())

const names = (list: { data: { name: string }[] }) => list.data.map((one) => one.name)

describe('The list of tenants', () => {
  it('shows a super admin every customer, and never the operating company', async () => {
    const list = await world.call('sofia', 'GET', '/tenants')
    expect(list.status).toBe(200)
    expect(names(list.json).sort()).toEqual(['Acme', 'Globex'])
    expect(list.json.pagination).toEqual({ current_page: 1, total_pages: 1, total: 2, per_page: 20 })
    expect(list.headers.get('cache-control')).toBe('no-store')
  })

  it('is ordered, cut into pages that do not overlap, and searched without regard to case', async () => {
    const first = await world.call('sofia', 'GET', '/tenants?order_by=name&order=asc&per_page=1')
    const second = await world.call('sofia', 'GET', '/tenants?order_by=name&order=asc&per_page=1&page=2')
    expect([...names(first.json), ...names(second.json)]).toEqual(['Acme', 'Globex'])
    expect(first.json.pagination.total_pages).toBe(2)
    expect(names((await world.call('sofia', 'GET', '/tenants?q=gLOB')).json)).toEqual(['Globex'])
    expect(names((await world.call('sofia', 'GET', '/tenants?q=acme%20nor')).json)).toEqual(['Acme'])
    expect(names((await world.call('sofia', 'GET', '/tenants?q=%25')).json)).toEqual([])
    expect((await world.call('sofia', 'GET', '/tenants?q=%00')).status).toBeLessThan(500)
  })

  it('brings the sub-tenants along when asked', async () => {
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

  it.each(['adam', 'aya', 'uri', 'nora'] as const)('is not for %s', async (who) => {
    expect((await world.call(who, 'GET', '/tenants')).status).toBe(403)
  })

  it('is not for a super admin who is inside a tenant', async () => {
    expect((await world.call('sofia', 'GET', '/tenants', undefined, { as: world.acme })).status).toBe(403)
  })
})

describe('One tenant', () => {
  it('is answered with its sub-tenants and administrators', async () => {
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

  it('is the same 404, byte for byte, whether it is foreign, unknown or no id at all', async () => {
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

  it('hides the other sub-tenants from those who belong to one', async () => {
    const { json } = await world.call('nora', 'GET', '/tenants/me')
    expect(json.sub_tenants.map((one: { id: string }) => one.id)).toEqual([world.north])
  })

  it('is not changed or deleted by its own people', async () => {
    expect((await world.call('adam', 'PUT', `/tenants/${world.acme}`, { name: 'Mine' })).status).toBe(403)
    expect((await world.call('adam', 'DELETE', '/tenants/me')).status).toBe(403)
    expect((await world.call('adam', 'POST', '/tenants', { name: 'Mine' })).status).toBe(403)
  })
})

describe('Creating a tenant', () => {
  it('takes every field, invites the administrators, and writes down who did it', async () => {
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

  it('refuses a name that is taken, in any case of letters, and an address that is taken', async () => {
    const taken = await world.call('sofia', 'POST', '/tenants', { name: 'aCME' })
    expect(taken.status).toBe(409)
    expect(taken.json.detail).toEqual({ name: ['Another tenant already has this name.'] })
    const admins = [{ first_name: 'Adam', email: world.people.adam.email }]
    const known = await world.call('sofia', 'POST', '/tenants', { name: 'Umbrella', admins })
    expect(known.status).toBe(409)
    expect(Object.keys(known.json.detail)).toEqual(['admins.0.email'])
    expect(names((await world.call('sofia', 'GET', '/tenants?q=Umbrella')).json)).toEqual([])
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

  it('refuses hostile JSON without failing', async () => {
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

  it('happens once for each Idempotency-Key, and answers its repeats with the same bytes', async () => {
    const first = await world.call('sofia', 'POST', '/tenants', { name: 'Once' }, { key: 'k-1' })
    const again = await world.call('sofia', 'POST', '/tenants', { name: 'Once' }, { key: 'k-1' })
    expect(first.status).toBe(201)
    expect([again.status, again.text]).toEqual([201, first.text])
    const other = await world.call('sofia', 'POST', '/tenants', { name: 'Twice' }, { key: 'k-1' })
    expect(other.status).toBe(422)
    expect(names((await world.call('sofia', 'GET', '/tenants?q=Once')).json)).toEqual(['Once'])
  })

  it('is left to one of two who want the same name at once', async () => {
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => world.call('sofia', 'POST', '/tenants', { name: 'Race' })),
    )
    expect(answers.map((one) => one.status).sort()).toEqual([201, 409, 409, 409])
  })
})

describe('Changing a tenant', () => {
  it('keeps what is left out, empties what is emptied, and refuses a stale edit showing what is saved', async () => {
    const { json } = await world.call('sofia', 'POST', '/tenants', {
      name: 'Wayne',
      industry: 'Caves',
      plan: 'Big',
    })
    const path = `/tenants/${json.id}`
    const changed = await world.call('sofia', 'PUT', path, {
      name: 'Wayne Ltd',
      industry: '',
      lock_version: 0,
    })
    expect(changed.json).toMatchObject({ name: 'Wayne Ltd', industry: null, plan: 'Big', lock_version: 1 })

    const stale = await world.call('sofia', 'PUT', path, { name: 'Wayne GmbH', lock_version: 0 })
    expect(stale.status).toBe(409)
    expect(stale.json.current).toMatchObject({ name: 'Wayne Ltd', lock_version: 1 })
    expect((await world.call('sofia', 'PUT', path, { name: 'Acme' })).json.detail).toHaveProperty('name')
    expect((await world.call('sofia', 'PUT', path, { lock_version: -1 })).status).toBe(422)
  })

  it('lets one of two concurrent edits win', async () => {
    const { json } = await world.call('sofia', 'POST', '/tenants', { name: 'Stark' })
    const edits = ['a', 'b', 'c'].map((plan) =>
      world.call('sofia', 'PUT', `/tenants/${json.id}`, { plan, lock_version: 0 }),
    )
    expect((await Promise.all(edits)).map((one) => one.status).sort()).toEqual([200, 409, 409])
  })

  it('does not make a tenant with sub-tenants a single one', async () => {
    const answer = await world.call('sofia', 'PUT', `/tenants/${world.acme}`, {
      customer_type: 'Single Tenant',
    })
    expect(answer.json.detail).toHaveProperty('customer_type')
  })

  it('makes a tenant a single one, or gives it a sub-tenant, but not both at once', async () => {
    const make = async (name: string) => {
      const fields = { name, customer_type: 'Multi Tenant' }
      return (await world.call('sofia', 'POST', '/tenants', fields)).json.id as string
    }
    const single = (id: string) => ({
      id,
      change: () => world.call('sofia', 'PUT', `/tenants/${id}`, { customer_type: 'Single Tenant' }),
      add: () => world.call('sofia', 'POST', `/tenants/${id}/sub_tenants`, { name: 'North' }),
    })
    /** What comes second waits for what came first, which holds its row. */
    const meanwhile = async (first: (scope: Scope) => Promise<unknown>, second: () => Promise<Answer>) => {
      let answer: Promise<Answer> | undefined
      const operator = { ...operatorActor(), tenant_id: world.home }
      await inScope(database.app, operator, async (scope) => {
        await first(scope)
        answer = second()
        await expect.poll(() => waiting()).toBe(1)
      })
      return (await answer)?.status
    }
    const waiting = async () => {
      const { rows } = await sql`select from pg_locks where not granted`.execute(database.app)
      return rows.length
    }
    const one = single(await make('Cyberdyne'))
    const adding = (scope: Scope) => createSubTenant(scope, one.id, { name: 'North' } as SubTenantInput)
    expect(await meanwhile(adding, one.change)).toBe(422)
    const other = single(await make('Tyrell'))
    const changing = (scope: Scope) => updateTenant(scope, other.id, { customer_type: 'Single Tenant' })
    expect(await meanwhile(changing, other.add)).toBe(409)
  })

  it('brings no sub-tenant back into a tenant that is a single one by now', async () => {
    const fields = { name: 'Umbrella', customer_type: 'Multi Tenant' }
    const path = `/tenants/${(await world.call('sofia', 'POST', '/tenants', fields)).json.id}`
    const { json } = await world.call('sofia', 'POST', `${path}/sub_tenants`, { name: 'North' })
    expect((await world.call('sofia', 'DELETE', `${path}/sub_tenants/${json.id}`)).status).toBe(200)
    expect((await world.call('sofia', 'PUT', path, { customer_type: 'Single Tenant' })).status).toBe(200)
    const restore = () => world.call('sofia', 'POST', `${path}/sub_tenants/${json.id}/restore`)
    const refused = await restore()
    expect([refused.status, refused.json.detail]).toEqual([
      409,
      'Only tenants of the type Multi Tenant can have sub-tenants.',
    ])
    await world.call('sofia', 'PUT', path, { customer_type: 'Multi Tenant' })
    expect((await restore()).status).toBe(200)
  })

  it('never touches the operating company', async () => {
    expect((await world.call('sofia', 'PUT', '/tenants/me', { name: 'X' })).status).toBe(403)
    expect((await world.call('sofia', 'DELETE', `/tenants/${world.home}`)).status).toBe(403)
  })
})

describe('Deleting a tenant', () => {
  it('takes it out of every list, and gives its name free', async () => {
    const { json } = await world.call('sofia', 'POST', '/tenants', { name: 'Gone' })
    expect((await world.call('sofia', 'DELETE', `/tenants/${json.id}`)).status).toBe(200)
    expect((await world.call('sofia', 'GET', `/tenants/${json.id}`)).status).toBe(404)
    expect((await world.call('sofia', 'DELETE', `/tenants/${json.id}`)).status).toBe(404)
    expect(names((await world.call('sofia', 'GET', '/tenants?q=Gone')).json)).toEqual([])
    expect((await world.call('sofia', 'POST', '/tenants', { name: 'Gone' })).status).toBe(201)
  })
})

describe('What one may enter', () => {
  it('is every customer for a super admin, inside a tenant too', async () => {
    const outside = await world.call('sofia', 'GET', '/tenants/data')
    const inside = await world.call('sofia', 'GET', '/tenants/data', undefined, { as: world.acme })
    expect(names(outside.json)).toEqual(expect.arrayContaining(['Acme', 'Globex']))
    expect(inside.json).toEqual(outside.json)
    expect(names(inside.json)).not.toContain('Liftwell')
  })

  it('is the own company for the others, and in it the sub-tenants they belong to', async () => {
    expect(names((await world.call('greta', 'GET', '/tenants/data')).json)).toEqual(['Globex'])
    const subs = async (who: 'adam' | 'nora' | 'both') =>
      names((await world.call(who, 'GET', '/tenants/tenant/sub_tenants/data')).json)
    expect(await subs('adam')).toEqual(['Acme North', 'Acme South'])
    expect(await subs('nora')).toEqual(['Acme North'])
    expect(await subs('both')).toEqual(['Acme North', 'Acme South'])
  })

  it('lists the time zones by their names of today', async () => {
    const { json } = await world.call('uri', 'GET', '/tenants/timezones')
    expect(json).toEqual(expect.arrayContaining(['UTC', 'Europe/Vienna', 'Asia/Kolkata', 'Europe/Kyiv']))
    expect(json).not.toContain('Asia/Calcutta')
  })
})
