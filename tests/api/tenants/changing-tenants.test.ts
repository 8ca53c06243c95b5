/** Changing and deleting tenants, also at the same moment. */
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inScope, operatorActor, type Scope } from '#app/domain/scope/scope.server.ts'
import type { SubTenantInput } from '#app/domain/tenants/sub-tenant.ts'
import { createSubTenant } from '#app/domain/tenants/sub-tenants.server.ts'
import { updateTenant } from '#app/domain/tenants/tenants.server.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { type Answer, createWorld, namesOf, type TenantsWorld } from './tenants-world.ts'

let database: TestDatabase
let world: TenantsWorld

beforeAll(async () => {
  database = await createTestDatabase()
  world = await createWorld(database.app)
})
afterAll(() => database?.drop())

describe('Changing a tenant', () => {
  it('keeps omitted fields, clears blank ones, and answers a stale edit with 409 and the saved tenant', async () => {
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

  it('saves one of three edits at the same moment, and refuses the others', async () => {
    const { json } = await world.call('sofia', 'POST', '/tenants', { name: 'Stark' })
    const edits = ['a', 'b', 'c'].map((plan) =>
      world.call('sofia', 'PUT', `/tenants/${json.id}`, { plan, lock_version: 0 }),
    )
    expect((await Promise.all(edits)).map((one) => one.status).sort()).toEqual([200, 409, 409])
  })

  it('happens once if its form is submitted twice, even with a logo and an administrator', async () => {
    const { json } = await world.call('sofia', 'POST', '/tenants', {
      name: 'Oscorp',
      customer_type: 'Multi Tenant',
    })
    const path = `/tenants/${json.id}`
    const part = await world.call('sofia', 'POST', `${path}/sub_tenants`, { name: 'North' })
    const bytes = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#c33' } })
      .png()
      .toBuffer()
    const logo = { base64: bytes.toString('base64'), file_name: 'us.png', file_type: 'image/png' }
    const form = (email: string) => ({
      ...{ name: 'Oscorp Ltd', logo, lock_version: 0 },
      admins: [{ first_name: 'Norman', email }],
    })
    const own = { name: 'Oscorp Inc', logo, categories: ['Care'], lock_version: 1 }
    for (const [at, sent] of [
      [path, form('norman@oscorp.example')],
      [`${path}/company`, own],
      [`${path}/sub_tenants/${part.json.id}`, form('harry@oscorp.example')],
    ] as const) {
      const twice = [await world.call('sofia', 'PUT', at, sent), await world.call('sofia', 'PUT', at, sent)]
      expect([at, ...twice.map(({ status }) => status)]).toEqual([at, 200, 200])
      expect([at, twice[1]?.json]).toEqual([at, twice[0]?.json])
      const other = await world.call('sofia', 'PUT', at, { ...sent, name: 'Theirs' })
      expect([at, other.status]).toEqual([at, 409])
    }
  })

  it('to a Single Tenant is refused while it has sub-tenants', async () => {
    const answer = await world.call('sofia', 'PUT', `/tenants/${world.acme}`, {
      customer_type: 'Single Tenant',
    })
    expect(answer.json.detail).toHaveProperty('customer_type')
  })

  it('to a Single Tenant and adding a sub-tenant at the same moment exclude each other', async () => {
    const make = async (name: string) => {
      const fields = { name, customer_type: 'Multi Tenant' }
      return (await world.call('sofia', 'POST', '/tenants', fields)).json.id as string
    }
    const single = (id: string) => ({
      id,
      change: () => world.call('sofia', 'PUT', `/tenants/${id}`, { customer_type: 'Single Tenant' }),
      add: () => world.call('sofia', 'POST', `/tenants/${id}/sub_tenants`, { name: 'North' }),
    })
    /** The first change holds the tenant's row, so the second waits for it. */
    const meanwhile = async (first: (scope: Scope) => Promise<unknown>, second: () => Promise<Answer>) => {
      let answer: Promise<Answer> | undefined
      const operator = { ...operatorActor(), tenant_id: world.home }
      await inScope(database.app, operator, async (scope) => {
        await first(scope)
        answer = second()
        await expect.poll(database.countWaiting).toBe(1)
      })
      return (await answer)?.status
    }
    const one = single(await make('Cyberdyne'))
    const adding = (scope: Scope) => createSubTenant(scope, one.id, { name: 'North' } as SubTenantInput)
    expect(await meanwhile(adding, one.change)).toBe(422)
    const other = single(await make('Tyrell'))
    const changing = (scope: Scope) => updateTenant(scope, other.id, { customer_type: 'Single Tenant' })
    expect(await meanwhile(changing, other.add)).toBe(409)
  })

  it('to a Single Tenant prevents the restoring of its deleted sub-tenants', async () => {
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

  it('is refused for the operator’s tenant, as is its deletion', async () => {
    expect((await world.call('sofia', 'PUT', '/tenants/me', { name: 'X' })).status).toBe(403)
    expect((await world.call('sofia', 'DELETE', `/tenants/${world.home}`)).status).toBe(403)
  })
})

describe('Deleting a tenant', () => {
  it('hides it from reads and lists, and frees its name', async () => {
    const { json } = await world.call('sofia', 'POST', '/tenants', { name: 'Gone' })
    expect((await world.call('sofia', 'DELETE', `/tenants/${json.id}`)).status).toBe(200)
    expect((await world.call('sofia', 'GET', `/tenants/${json.id}`)).status).toBe(404)
    expect((await world.call('sofia', 'DELETE', `/tenants/${json.id}`)).status).toBe(404)
    expect(namesOf((await world.call('sofia', 'GET', '/tenants?q=Gone')).json)).toEqual([])
    expect((await world.call('sofia', 'POST', '/tenants', { name: 'Gone' })).status).toBe(201)
  })
})
