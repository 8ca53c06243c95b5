import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OWN_ZONE } from '#app/domain/hours/own-clock.server.ts'
import { asParticipant, inScope, systemActor } from '#app/domain/scope/scope.server.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { createWorld, namesOf, type TenantsWorld, UNKNOWN } from './tenants-world.ts'

let database: TestDatabase
let world: TenantsWorld

beforeAll(async () => {
  database = await createTestDatabase()
  world = await createWorld(database.app)
})
afterAll(() => database?.drop())

describe('Sub-tenants', () => {
  it('can be created, changed and deleted by an administrator of the tenant', async () => {
    const created = await world.call('adam', 'POST', '/tenants/me/sub_tenants', {
      name: 'Acme East',
      timezone: 'Asia/Tokyo',
      categories: ['Safety'],
      admins: [{ first_name: 'Eve', email: 'eve@acme.example' }],
    })
    expect(created.status).toBe(201)
    expect(created.json).toMatchObject({
      tenant_id: world.acme,
      status: 'active',
      admins: [{ email: 'eve@acme.example' }],
    })
    const path = `/tenants/${world.acme}/sub_tenants/${created.json.id}`

    const changed = await world.call('adam', 'PUT', path, {
      name: 'Acme Far East',
      status: 'inactive',
      lock_version: 0,
    })
    expect(changed.json).toMatchObject({
      name: 'Acme Far East',
      status: 'inactive',
      timezone: 'Asia/Tokyo',
      lock_version: 1,
    })
    expect((await world.call('adam', 'PUT', path, { name: 'X', lock_version: 0 })).json.current.name).toBe(
      'Acme Far East',
    )
    expect((await world.call('adam', 'PUT', path, { name: 'acme north' })).json.detail).toHaveProperty('name')

    expect((await world.call('adam', 'DELETE', path)).status).toBe(200)
    expect((await world.call('adam', 'GET', path)).status).toBe(404)
    expect(
      namesOf((await world.call('adam', 'GET', '/tenants/me/sub_tenants?order_by=name&order=asc')).json),
    ).toEqual(['Acme North', 'Acme South'])
  })

  it('can be created by super admins outside and inside the tenant', async () => {
    const outside = await world.call('sofia', 'POST', `/tenants/${world.acme}/sub_tenants`, {
      name: 'From outside',
    })
    expect(outside.status).toBe(201)
    const inside = await world.call(
      'sofia',
      'POST',
      '/tenants/me/sub_tenants',
      { name: 'From inside' },
      { as: world.acme },
    )
    expect(inside.json.tenant_id).toBe(world.acme)
    expect(
      (await world.call('sofia', 'GET', `/tenants/${world.acme}/sub_tenants?q=from`)).json.pagination.total,
    ).toBe(2)
  })

  it('cannot be created in a Single Tenant', async () => {
    expect((await world.call('greta', 'POST', '/tenants/me/sub_tenants', { name: 'Part' })).status).toBe(409)
  })

  it.each(['aya', 'uri', 'nora'] as const)('cannot be created, changed or deleted by %s', async (who) => {
    expect((await world.call(who, 'POST', '/tenants/me/sub_tenants', { name: 'Mine' })).status).toBe(403)
    expect(
      (await world.call(who, 'PUT', `/tenants/me/sub_tenants/${world.north}`, { name: 'Mine' })).status,
    ).toBe(403)
    expect((await world.call(who, 'DELETE', `/tenants/me/sub_tenants/${world.north}`)).status).toBe(403)
  })

  it('get the same 404 whether they are foreign, unknown, another sub-tenant or not an id', async () => {
    const unknown = await world.call('adam', 'GET', `/tenants/me/sub_tenants/${UNKNOWN}`)
    expect(unknown.status).toBe(404)
    const answers = await Promise.all([
      world.call('greta', 'GET', `/tenants/${world.acme}/sub_tenants/${world.north}`),
      world.call('greta', 'GET', `/tenants/me/sub_tenants/${world.north}`),
      world.call('greta', 'GET', `/tenants/${world.acme}/sub_tenants`),
      world.call('greta', 'PUT', `/tenants/${world.acme}/sub_tenants/${world.north}`, { name: 'Mine' }),
      world.call('nora', 'GET', `/tenants/me/sub_tenants/${world.south}`),
      world.call('adam', 'GET', '/tenants/me/sub_tenants/7'),
      world.call('sofia', 'GET', `/tenants/${world.globex}/sub_tenants/${world.north}`),
      world.call('sofia', 'GET', `/tenants/${UNKNOWN}/sub_tenants`),
    ])
    for (const one of answers) expect(one.text).toBe(unknown.text)
  })

  it('refuse invalid pages, orders, names, time zones and unknown fields', async () => {
    for (const query of ['page=-1', 'page=1e308', 'order=drop:table', 'order_by=tenant_id'])
      expect((await world.call('adam', 'GET', `/tenants/me/sub_tenants?${query}`)).status).toBe(422)
    for (const input of [
      { name: '' },
      { name: 'A', timezone: 'Nowhere' },
      { name: 'A', tenant_id: world.globex },
      { name: 'A', id: UNKNOWN },
    ])
      expect((await world.call('adam', 'POST', '/tenants/me/sub_tenants', input)).status).toBe(422)
  })
})

describe('The company', () => {
  const company = () => `/tenants/${world.acme}/company`

  it('can be changed by its administrators, but not with a stale version or a taken name', async () => {
    const { json } = await world.call('adam', 'GET', '/tenants/me')
    const saved = await world.call('adam', 'PUT', company(), {
      name: 'Acme Corp',
      categories: ['Leadership', 'Safety'],
      timezone: 'America/New_York',
      authors_may_create_drafts: true,
      lock_version: json.lock_version,
    })
    expect(saved.json).toMatchObject({
      name: 'Acme Corp',
      llj_categories: ['Leadership', 'Safety'],
      timezone: 'America/New_York',
      authors_may_create_drafts: true,
      customer_type: 'Multi Tenant',
    })
    const stale = await world.call('adam', 'PUT', company(), {
      name: 'Late',
      lock_version: json.lock_version,
    })
    expect([stale.status, stale.json.current.name]).toEqual([409, 'Acme Corp'])
    expect((await world.call('adam', 'PUT', company(), { name: 'Globex' })).json.detail).toHaveProperty(
      'name',
    )
  })

  it('refuses its administrators the fields that only super admins can change', async () => {
    for (const input of [{ status: 'inactive' }, { customer_type: 'Single Tenant' }, { plan: 'Free' }])
      expect((await world.call('adam', 'PUT', company(), input)).status).toBe(422)
  })

  it.each(['aya', 'uri', 'nora'] as const)('cannot be changed by %s', async (who) => {
    expect((await world.call(who, 'PUT', company(), { name: 'Mine' })).status).toBe(403)
  })

  it('is not found by an administrator of another company', async () => {
    expect((await world.call('greta', 'PUT', company(), { name: 'Mine' })).status).toBe(404)
  })

  it('settings of a sub-tenant can be changed by its own and the company’s administrators', async () => {
    const path = `/tenants/${world.acme}/sub_tenants/${world.north}/company`
    const saved = await world.call('nora', 'PUT', path, {
      name: 'North Pole',
      categories: ['Ice'],
      timezone: 'UTC',
    })
    expect(saved.json).toMatchObject({ name: 'North Pole', categories: ['Ice'], timezone: 'UTC' })
    expect((await world.call('adam', 'PUT', path, { name: 'Acme North' })).status).toBe(200)
    const south = `/tenants/${world.acme}/sub_tenants/${world.south}/company`
    expect((await world.call('nora', 'PUT', south, { name: 'Mine' })).status).toBe(404)
  })
})

describe('People', () => {
  it('with several sub-tenants have to choose one first, and then have their role in that one', async () => {
    const me = await world.call('both', 'GET', '/users/me')
    expect(me.json).toMatchObject({
      should_enter_subtenant: true,
      hasMoreThanOneSubTenant: true,
      subTenantId: null,
      // The roles they hold; none applies before they choose.
      roles: ['admin', 'user'],
      is_admin: true,
    })
    expect((await world.call('both', 'GET', '/users')).status).toBe(403)
    const chosen = await world.call('both', 'GET', '/users/me', undefined, { sub: world.south })
    expect(chosen.json).toMatchObject({
      should_enter_subtenant: false,
      subTenantId: world.south,
      roles: ['user'],
      is_admin: false,
    })
    expect(
      (await world.call('both', 'GET', '/users/me', undefined, { sub: world.north })).json.is_admin,
    ).toBe(true)
  })

  it('get their own data, with the home and the current tenant while impersonating', async () => {
    const { json } = await world.call('adam', 'GET', '/users/me')
    expect(json).toMatchObject({
      id: world.people.adam.user_id,
      name: 'Adam Test',
      roles: ['admin'],
      is_admin: true,
      is_super_admin: false,
      accept_terms_and_conditions: true,
      user_general_roles: [{ role: 'admin', tenant_id: world.acme, sub_tenant_id: null }],
      tenant: { id: world.acme },
      current_tenant: { id: world.acme, logo: null, status: 'active' },
    })
    const inside = await world.call('sofia', 'GET', '/users/me', undefined, { as: world.globex })
    expect(inside.json).toMatchObject({
      name: 'Sofia Test',
      is_impersonating: true,
      tenant: { id: world.home },
      current_tenant: { id: world.globex, name: 'Globex' },
    })
    expect(inside.json.roles).toContain('admin')
  })

  it('without a time zone use that of their sub-tenant', async () => {
    const { acme, north, people } = world
    const saveZone = (zone: string | null) =>
      inScope(database.app, systemActor(acme), ({ db }) =>
        db.updateTable('sub_tenants').set({ timezone: zone }).where('id', '=', north).execute(),
      )
    await saveZone('Asia/Tokyo')
    const { json } = await world.call('nora', 'GET', '/users/me', undefined, { sub: north })
    expect(json.timezone).toBeNull()
    const { tenant, current_tenant, current_sub_tenant } = json
    expect([tenant, current_tenant, current_sub_tenant].map(({ timezone }) => timezone)).toEqual([
      'America/New_York',
      'America/New_York',
      'Asia/Tokyo',
    ])
    const actor = { ...systemActor(acme), user_id: people.nora.user_id, sub_tenant_id: north }
    const { zone } = await inScope(database.app, actor, (scope) =>
      asParticipant(scope, ({ db }) => db.selectNoFrom(OWN_ZONE.as('zone')).executeTakeFirstOrThrow()),
    )
    expect(zone).toBe('Asia/Tokyo')
    await saveZone(null)
  })

  it('can change their own profile, but not their roles, e-mail address or status', async () => {
    const saved = await world.call('uri', 'PUT', '/users/me', {
      first_name: 'Uriel',
      job_title: 'Clerk',
      timezone: 'Europe/Kiev',
    })
    expect(saved.json).toMatchObject({
      name: 'Uriel Test',
      job_title: 'Clerk',
      timezone: 'Europe/Kyiv',
      lock_version: 1,
    })
    expect(
      (await world.call('uri', 'PUT', '/users/me', { first_name: 'Late', lock_version: 0 })).json.current
        .first_name,
    ).toBe('Uriel')
    for (const input of [
      { is_super_admin: true },
      { roles: ['admin'] },
      { email: 'a@b.example' },
      { activation_status: 'active' },
      { tenant_id: world.globex },
      { mobile_phone: '12' },
      { mobile_phone: '+436641234567' },
      { first_name: '' },
      { timezone: 'Mars' },
      { accept_terms_and_conditions: false },
    ])
      expect((await world.call('uri', 'PUT', '/users/me', input)).status).toBe(422)
  })

  it('consent to texts for one number, can withdraw, and have to consent again for another number', async () => {
    const put = (input: object) => world.call('aya', 'PUT', '/users/me', input)
    const giveNumber = (mobile_phone: string) =>
      world.call('adam', 'PUT', `/users/${world.people.aya.user_id}`, { mobile_phone })
    expect((await put({ sms_opt_in: true })).json.detail).toHaveProperty('sms_opt_in')
    await giveNumber('+436641234567')
    expect((await put({ sms_opt_in: true })).json.sms_opt_in).toBe(true)
    expect((await put({ first_name: 'Aya' })).json.sms_opt_in).toBe(true)
    await giveNumber('+436641234568')
    expect((await put({ first_name: 'Aya' })).json.sms_opt_in).toBe(false)
    expect((await put({ sms_opt_in: true })).json.sms_opt_in).toBe(true)
    expect((await put({ sms_opt_in: false })).json.sms_opt_in).toBe(false)
    const removed = await put({ mobile_phone: null })
    expect([removed.json.mobile_phone, removed.json.sms_opt_in]).toEqual([null, false])
    const events = await inScope(database.app, systemActor(world.acme), ({ db }) =>
      db.selectFrom('consent_events').select(['number', 'action', 'wording_id']).orderBy('id').execute(),
    )
    expect(events).toEqual([
      { number: '+436641234567', action: 'opt_in', wording_id: 'sms-2026-1' },
      { number: '+436641234568', action: 'opt_in', wording_id: 'sms-2026-1' },
      { number: '+436641234568', action: 'opt_out', wording_id: null },
    ])
  })

  it('can read only their own user before they have accepted the terms', async () => {
    expect((await world.call('newcomer', 'GET', '/users')).status).toBe(403)
    expect((await world.call('newcomer', 'GET', '/users/me')).json.accept_terms_and_conditions).toBe(false)
    const accepted = await world.call('newcomer', 'PUT', '/users/me', { accept_terms_and_conditions: true })
    expect(accepted.json.accept_terms_and_conditions).toBe(true)
  })

  it('are listed, searched, filtered by role and found by id in their own tenant only', async () => {
    const list = await world.call('adam', 'GET', '/users?order_by=email&order=asc')
    expect(namesOf(list.json)).not.toContain('Greta Test')
    expect(namesOf((await world.call('adam', 'GET', '/users?q=aya')).json)).toEqual(['Aya Test'])
    expect(
      namesOf((await world.call('adam', 'GET', '/users?role=author&role=user&order_by=name&order=asc')).json),
    ).toContain('Aya Test')
    expect((await world.call('adam', 'GET', '/users?role=super_admin')).status).toBe(422)
    expect(namesOf((await world.call('nora', 'GET', '/users?order_by=email&order=asc')).json)).toEqual(
      expect.not.arrayContaining(['Adam Test']),
    )
    const { greta, aya } = world.people
    expect((await world.call('adam', 'GET', `/users/${aya.user_id}`)).json.name).toBe('Aya Test')
    const foreign = await world.call('adam', 'GET', `/users/${greta.user_id}`)
    expect(foreign.status).toBe(404)
    for (const id of ['999999', '0', '-1', '1e308', '9223372036854775808', 'x'])
      expect((await world.call('adam', 'GET', `/users/${id}`)).text).toBe(foreign.text)
  })

  it('are sent to the same pool whether their e-mail address is known or not', async () => {
    const ask = async (email: string) => {
      const response = await world.api.request(`/api/v1/users/pool?email=${encodeURIComponent(email)}`)
      return { status: response.status, text: await response.text() }
    }
    const known = await ask(world.people.adam.email)
    expect(JSON.parse(known.text)).toMatchObject({
      userPoolId: world.pool_id,
      kind: 'embedded',
      login_mode: 'screens',
    })
    expect(await ask('nobody@nowhere.example')).toEqual(known)
    expect((await ask('nobody')).status).toBe(422)
    const posted = await world.api.request('/api/v1/users/pool', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'nobody@nowhere.example' }),
    })
    expect(await posted.text()).toBe(known.text)
  })
})
