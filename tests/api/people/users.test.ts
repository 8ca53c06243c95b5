import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connect } from '#app/db/connect.server.ts'
import { createWorld, type TenantsWorld } from '#tests/api/tenants/tenants-world.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'

let database: TestDatabase
let world: TenantsWorld

beforeAll(async () => {
  database = await createTestDatabase()
  world = await createWorld(database.app)
})
afterAll(() => database?.drop())

let count = 0
const person = (more: object = {}) => ({
  first_name: 'Pat',
  last_name: 'Example',
  email: `pat${++count}@people.example`,
  user_general_roles: [{ role: 'user' }],
  ...more,
})
const add = async (more: object = {}, who: 'adam' | 'nora' | 'greta' = 'adam') =>
  (await world.call(who, 'POST', '/users', person(more))).json
const jobs = async (name: string) => {
  const { rows } = await (await import('kysely')).sql<{ payload: { user_id?: number } }>`
    select payload from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    where t.identifier = ${name}`.execute(database.worker)
  return rows.map((row) => row.payload)
}

describe('Adding a person', () => {
  it('returns a Location, as for a lift, but not for participants', async () => {
    const created = await world.call('adam', 'POST', '/users', person())
    expect(created.headers.get('location')).toBe(`/api/v1/users/${created.json.id}`)
    const plan = { name: 'Found again', category: 'Sales' }
    const journey = (await world.call('adam', 'POST', '/lljs', plan)).json.id
    const lift = await world.call('adam', 'POST', `/lljs/${journey}/lifts`, { title: 'One' })
    const read = lift.headers.get('location')?.replace('/api/v1', '') ?? ''
    expect((await world.call('adam', 'GET', read)).json).toMatchObject({ title: 'One', id: lift.json.id })
    // Participants are read as a list, so they have no Location.
    const added = await world.call('adam', 'POST', `/lljs/${journey}/members`, {
      user_ids: [created.json.id],
    })
    expect([added.status, added.headers.get('location')]).toEqual([201, null])
  })

  it('stores all fields and roles, and queues an invitation unless send_welcome is false', async () => {
    const created = await world.call(
      'adam',
      'POST',
      '/users',
      person({
        email: ' Max@People.example ',
        mobile_phone: '+43 664 1234567',
        job_title: 'Driver',
        timezone: 'asia/calcutta',
        user_general_roles: [
          { role: 'author', tenant_id: world.acme, sub_tenant_id: world.north },
          { role: 'user' },
          { role: 'user', sub_tenant_id: null },
        ],
      }),
    )
    expect(created.status).toBe(201)
    expect(created.json).toMatchObject({
      email: 'max@people.example',
      mobile_phone: '+436641234567',
      timezone: 'Asia/Kolkata',
      activation_status: 'invited',
      user_general_roles: [
        { role: 'author', tenant_id: world.acme, sub_tenant_id: world.north },
        { role: 'user', tenant_id: world.acme, sub_tenant_id: null },
      ],
    })
    expect(await jobs('invite-user')).toContainEqual(expect.objectContaining({ user_id: created.json.id }))
    const quiet = await add({ send_welcome: false })
    expect(await jobs('invite-user')).not.toContainEqual(expect.objectContaining({ user_id: quiet.id }))
  })

  it('refuses an address that is taken, with the same error if another company’s person has it', async () => {
    const here = await world.call('adam', 'POST', '/users', person({ email: world.people.uri.email }))
    const elsewhere = await world.call('adam', 'POST', '/users', person({ email: world.people.greta.email }))
    expect([here.status, Object.keys(here.json.detail)]).toEqual([409, ['email']])
    expect(elsewhere.text).toBe(here.text)
  })

  it('refuses an address that is taken in another user pool, with the same error', async () => {
    const { email, tenant_id } = world.people.greta
    const admin = await database.connectAdmin()
    await admin.query(`insert into pools (id, name, kind, issuer, client_id)
      values ('elsewhere', 'Elsewhere', 'oidc', 'https://idp.example', 'liftwell')`)
    const moveTo = (pool: string) =>
      admin.query('update tenants set pool_id = $1 where id = $2', [pool, tenant_id])
    await moveTo('elsewhere')
    const answer = await world.call('adam', 'POST', '/users', person({ email: email.toUpperCase() }))
    const { id } = await add()
    const changed = await world.call('adam', 'PUT', `/users/${id}`, { email })
    const own = await world.call('uri', 'POST', '/users/me/contacts', { kind: 'email', value: email })
    await moveTo(world.pool_id)
    expect([answer.status, answer.json.detail]).toEqual([
      409,
      { email: ['Someone with this e-mail address already has an account.'] },
    ])
    expect([changed.status, changed.json.detail]).toEqual([409, answer.json.detail])
    // A person who changes their own address does not learn whether it is taken.
    expect(own.status).toBe(202)
  })

  it('refuses roles in another tenant, and in a sub-tenant that the caller does not administer', async () => {
    const refused = async (role: object, who: 'adam' | 'greta' | 'nora' = 'adam') => {
      const answer = await world.call(who, 'POST', '/users', person({ user_general_roles: [role] }))
      expect(answer.status).toBe(422)
      return Object.keys(answer.json.detail)
    }
    expect(await refused({ role: 'user', tenant_id: world.globex })).toEqual([
      'user_general_roles.0.tenant_id',
    ])
    expect(await refused({ role: 'super_admin' })).toEqual(['user_general_roles.0.role'])
    expect(await refused({ role: 'user', sub_tenant_id: world.globex })).toEqual([
      'user_general_roles.0.sub_tenant_id',
    ])
    const foreign = ['user_general_roles.0.sub_tenant_id']
    expect(await refused({ role: 'user', sub_tenant_id: world.north }, 'greta')).toEqual(foreign)
    expect(await refused({ role: 'user', sub_tenant_id: world.south }, 'nora')).toEqual(foreign)
    expect(await refused({ role: 'admin' }, 'nora')).toEqual(foreign)
    expect((await world.call('adam', 'POST', '/users', person({ user_general_roles: [] }))).status).toBe(422)
  })

  it.each([
    { is_super_admin: true },
    { tenant_id: '0b8f1f6e-5f0e-4b0a-9a51-0f0f0f0f0f0f' },
    { activation_status: 'active' },
    { id: 1 },
    { email: 'nobody' },
    { mobile_phone: '12' },
    // The country of this number is unknown.
    { mobile_phone: '0664 1234567' },
    { timezone: 'Mars' },
    { first_name: '\u200b' },
    { first_name: 'https://evil.example/free' },
    { last_name: 'www.evil.example' },
    { last_name: 'at evil.example/free' },
  ])('refuses %j', async (more) => {
    const answer = await world.call('adam', 'POST', '/users', person(more))
    expect([answer.status, Object.keys(answer.json.detail)]).toEqual([422, Object.keys(more)])
  })

  it('is for administrators only, including those of a sub-tenant', async () => {
    for (const who of ['aya', 'uri'] as const)
      expect((await world.call(who, 'POST', '/users', person())).status).toBe(403)
    const created = await add({ user_general_roles: [{ role: 'user', sub_tenant_id: world.north }] }, 'nora')
    expect(created.user_general_roles).toEqual([
      { role: 'user', tenant_id: world.acme, sub_tenant_id: world.north },
    ])
    expect((await world.call('nora', 'GET', `/users/${created.id}`)).status).toBe(200)
  })
})

describe('Changing a person', () => {
  it('keeps omitted fields, replaces the roles, and refuses a stale edit', async () => {
    const { id } = await add({ job_title: 'Driver' })
    const roles = [{ role: 'author', sub_tenant_id: world.south }]
    const path = `/users/${id}`
    const changed = await world.call('adam', 'PUT', path, {
      last_name: 'New',
      user_general_roles: roles,
      lock_version: 0,
    })
    expect(changed.json).toMatchObject({ first_name: 'Pat', last_name: 'New', job_title: 'Driver' })
    expect(changed.json.user_general_roles).toEqual([
      { role: 'author', tenant_id: world.acme, sub_tenant_id: world.south },
    ])
    const stale = await world.call('adam', 'PUT', path, { last_name: 'Late', lock_version: 0 })
    expect([stale.status, stale.json.current.last_name]).toEqual([409, 'New'])
  })

  it('keeps their role in a deleted sub-tenant, in which no other role can be added', async () => {
    const make = await world.call('adam', 'POST', '/tenants/me/sub_tenants', { name: 'Acme Gone' })
    const role = { role: 'user', sub_tenant_id: make.json.id }
    const { id } = await add({ user_general_roles: [role] })
    const other = await add()
    const gone = await world.call('adam', 'DELETE', `/tenants/me/sub_tenants/${make.json.id}`)
    expect([make.status, gone.status]).toEqual([201, 200])
    const put = (who: number, user_general_roles: object[]) =>
      world.call('adam', 'PUT', `/users/${who}`, { job_title: 'Lead', user_general_roles })
    const changed = await put(id, [role])
    expect([changed.status, changed.json.job_title]).toEqual([200, 'Lead'])
    expect(changed.json.user_general_roles).toMatchObject([role])
    expect((await put(id, [role, { role: 'admin', sub_tenant_id: make.json.id }])).status).toBe(422)
    expect((await put(other.id, [role])).status).toBe(422)
  })

  it('lets people change their own job title, but not their roles or address, nor other people', async () => {
    const self = `/users/${world.people.uri.user_id}`
    expect((await world.call('uri', 'PUT', self, { job_title: 'Pilot' })).json.job_title).toBe('Pilot')
    for (const change of [{ user_general_roles: [{ role: 'admin' }] }, { email: 'other@people.example' }])
      expect((await world.call('uri', 'PUT', self, change)).status).toBe(403)
    const other = `/users/${world.people.aya.user_id}`
    expect((await world.call('uri', 'PUT', other, { job_title: 'X' })).status).toBe(403)
    expect((await world.call('aya', 'PUT', self, { job_title: 'X' })).status).toBe(403)
  })

  it('refuses to remove the last administrator of a company, and the caller’s own admin role', async () => {
    const self = `/users/${world.people.adam.user_id}`
    const user_general_roles = [{ role: 'user' }]
    const own = await world.call('adam', 'PUT', self, { user_general_roles })
    expect([own.status, Object.keys(own.json.detail)]).toEqual([409, ['user_general_roles']])
    const inside = { as: world.acme }
    const last = await world.call('sofia', 'PUT', self, { user_general_roles }, inside)
    expect(last.json.detail.user_general_roles[0]).toContain('last administrator')
    const status = { activation_status: 'disabled' }
    expect((await world.call('sofia', 'PATCH', `${self}/activation`, status, inside)).status).toBe(409)
    expect((await world.call('sofia', 'DELETE', self, undefined, inside)).status).toBe(409)
  })

  it('deactivates one of the last two administrators if both are deactivated at once', async () => {
    const other = await add({ user_general_roles: [{ role: 'admin' }] })
    const remove = (id: number) =>
      world.call(
        'sofia',
        'PATCH',
        `/users/${id}/activation`,
        { activation_status: 'disabled' },
        { as: world.acme },
      )
    const answers = await Promise.all([remove(other.id), remove(world.people.adam.user_id)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    for (const id of [other.id, world.people.adam.user_id])
      await world.call(
        'sofia',
        'PATCH',
        `/users/${id}/activation`,
        { activation_status: 'active' },
        { as: world.acme },
      )
    await world.call('adam', 'DELETE', `/users/${other.id}`)
  })

  it('changes the e-mail address of invited people only, and invites them again', async () => {
    const { id } = await add()
    const email = 'moved@people.example'
    expect((await world.call('adam', 'PUT', `/users/${id}`, { email })).json.email).toBe(email)
    const again = { user_id: id, nonce: expect.stringContaining('-') }
    expect(await jobs('invite-user')).toContainEqual(expect.objectContaining(again))
    const active = `/users/${world.people.aya.user_id}`
    expect((await world.call('adam', 'PUT', active, { email: 'x@people.example' })).status).toBe(422)
  })

  it('removes the identity of a corrected address, and queues the erasure of its account', async () => {
    const { id } = await add()
    const stage = connect(database.adminUrl, { max: 1 })
    const { tenant_id } = await stage
      .selectFrom('users')
      .select('tenant_id')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    await stage
      .insertInto('pools')
      .values({ id: 'own', name: 'Own', kind: 'embedded', issuer: 'http://own.example', client_id: 'c' })
      .execute()
    const identity = { tenant_id, user_id: id, issuer: 'http://own.example', subject: 'mistaken' }
    await stage.insertInto('user_identities').values(identity).execute()
    await world.call('adam', 'PUT', `/users/${id}`, { email: 'mended@people.example' })
    const left = stage.selectFrom('user_identities').selectAll().where('user_id', '=', id)
    expect(await left.execute()).toEqual([])
    expect(await jobs('erase-accounts')).toContainEqual(
      expect.objectContaining({ tenant_id, accounts: [{ pool: 'own', sub: 'mistaken' }] }),
    )
    await stage.destroy()
  })

  it('lets a sub-tenant’s administrator change only the roles there of a person with several', async () => {
    const roles = [
      { role: 'user', sub_tenant_id: world.north },
      { role: 'author', sub_tenant_id: world.south },
    ]
    const { id } = await add({ user_general_roles: roles })
    const path = `/users/${id}`
    expect((await world.call('nora', 'PUT', path, { last_name: 'Mine' })).status).toBe(403)
    const disabled = { activation_status: 'disabled' }
    expect((await world.call('nora', 'PATCH', `${path}/activation`, disabled)).status).toBe(403)
    expect((await world.call('nora', 'DELETE', path)).status).toBe(403)
    const promoted = [{ role: 'admin', sub_tenant_id: world.north }]
    expect((await world.call('nora', 'PUT', path, { user_general_roles: promoted })).status).toBe(200)
    const { json } = await world.call('adam', 'GET', path)
    expect(json.user_general_roles).toEqual([
      { role: 'author', tenant_id: world.acme, sub_tenant_id: world.south },
      { role: 'admin', tenant_id: world.acme, sub_tenant_id: world.north },
    ])
    expect((await world.call('nora', 'GET', `/users/${world.people.uri.user_id}`)).status).toBe(404)
  })

  it('lets a sub-tenant’s administrator remove a person from it who has a role in another one', async () => {
    const [here, there] = [world.north, world.south].map((sub_tenant_id) => ({ role: 'user', sub_tenant_id }))
    const { id } = await add({ user_general_roles: [here, there] })
    const groups = await Promise.all(
      (['nora', 'adam'] as const).map(async (who) => {
        const group = (await world.call(who, 'POST', '/user_groups', { name: `Of ${who}` })).json
        await world.call(who, 'PATCH', `/user_groups/${group.id}/users`, { add_user_ids: [id] })
        return async () => (await world.call('adam', 'GET', `/user_groups/${group.id}`)).json.people
      }),
    )
    const path = `/users/${id}/roles`
    const { rights } = (await world.call('nora', 'GET', `/users/${id}`)).json
    expect(rights).toContain('remove_roles')
    expect((await world.call('adam', 'DELETE', path)).status).toBe(409)
    expect((await world.call('nora', 'DELETE', path)).status).toBe(200)
    expect((await world.call('nora', 'DELETE', path)).status).toBe(404)
    const { json } = await world.call('adam', 'GET', `/users/${id}`)
    expect(json).toMatchObject({ activation_status: 'invited', user_general_roles: [there] })
    expect(await Promise.all(groups.map((people) => people()))).toEqual([0, 1])
    const [line] = (await world.call('nora', 'GET', `/audit_events?subject=user:${id}`)).json.data
    expect(line).toMatchObject({ action: 'user.updated', changes: { roles: { before: [here], after: [] } } })

    const own = await add({ user_general_roles: [here] })
    expect((await world.call('nora', 'DELETE', `/users/${own.id}/roles`)).status).toBe(409)
    const self = `/users/${world.people.nora.user_id}/roles`
    expect((await world.call('nora', 'DELETE', self)).status).toBe(409)
  })
})

describe('An account', () => {
  it('can be deactivated and activated again by administrators, except their own', async () => {
    const { id } = await add()
    const set = (activation_status: string) =>
      world.call('adam', 'PATCH', `/users/${id}/activation`, { activation_status })
    expect((await set('disabled')).json.activation_status).toBe('disabled')
    expect((await set('active')).json.activation_status).toBe('invited')
    expect((await set('invited')).status).toBe(422)
    const own = `/users/${world.people.adam.user_id}/activation`
    const self = await world.call('adam', 'PATCH', own, { activation_status: 'disabled' })
    expect(self.json.detail.activation_status[0]).toContain('yourself')
    const aya = `/users/${world.people.aya.user_id}/activation`
    expect((await world.call('aya', 'PATCH', aya, { activation_status: 'disabled' })).status).toBe(403)
  })

  it('can be deleted by administrators only', async () => {
    const { id } = await add()
    expect((await world.call('uri', 'DELETE', `/users/${id}`)).status).toBe(403)
    expect((await world.call('adam', 'DELETE', `/users/${id}`)).status).toBe(200)
    expect((await world.call('adam', 'GET', `/users/${id}`)).status).toBe(404)
  })

  it('can be invited again, alone or with others, with a result for each', async () => {
    const { id } = await add({ send_welcome: false })
    const off = await add()
    await world.call('adam', 'PATCH', `/users/${off.id}/activation`, { activation_status: 'disabled' })
    expect((await world.call('adam', 'POST', `/auth/resend-welcome-email/${id}`, {})).status).toBe(200)
    expect(await jobs('invite-user')).toContainEqual(expect.objectContaining({ user_id: id }))
    const greta = world.people.greta.user_id
    const other = await add({ send_welcome: false })
    const user_ids = [other.id, off.id, world.people.uri.user_id, greta, 999_999]
    const { json } = await world.call('adam', 'POST', '/auth/resend-welcome-email', { user_ids })
    expect(json.data.map((one: { result: string }) => one.result)).toEqual([
      'sent',
      'disabled',
      'already_active',
      'not_found',
      'not_found',
    ])
    expect((await world.call('adam', 'POST', `/auth/resend-welcome-email/${greta}`, {})).status).toBe(404)
    expect((await world.call('aya', 'POST', '/auth/resend-welcome-email', { user_ids })).status).toBe(403)
  })
})

describe('The last administrator', () => {
  it('cannot be deactivated if the only other one was invited and never signed in', async () => {
    const { id } = await add({ user_general_roles: [{ role: 'admin' }] }, 'greta')
    const path = `/users/${world.people.greta.user_id}`
    const other = await world.call('sofia', 'GET', path, undefined, { as: world.globex })
    expect(other.json.activation_status).toBe('active')
    const out = { activation_status: 'disabled' }
    const as = { as: world.globex }
    expect((await world.call('sofia', 'PATCH', `${path}/activation`, out, as)).status).toBe(409)
    // The invited administrator can be deleted.
    expect((await world.call('greta', 'DELETE', `/users/${id}`)).status).toBe(200)
  })
})

describe('The list of people', () => {
  it('has pages that do not overlap, in any order, and can be filtered by role', async () => {
    for (const order_by of ['date', 'name', 'email', 'status']) {
      const seen: number[] = []
      let pages = 1
      for (let page = 1; page <= pages; page++) {
        const { json } = await world.call(
          'adam',
          'GET',
          `/users?per_page=3&page=${page}&order_by=${order_by}`,
        )
        pages = json.pagination.total_pages
        seen.push(...json.data.map(({ id }: { id: number }) => id))
        if (page === pages) expect(seen).toHaveLength(json.pagination.total)
      }
      expect(new Set(seen).size).toBe(seen.length)
    }
    const { json } = await world.call('adam', 'GET', '/users?role=admin&role=author&per_page=100')
    for (const user of json.data)
      expect(user.user_general_roles.some(({ role }: { role: string }) => role !== 'user')).toBe(true)
  })

  it('can be filtered by status, without erased people, and by sub-tenant', async () => {
    type Listed = { id: number; is_erased: boolean; activation_status: string }
    const find = async (search: string, who: 'adam' | 'nora' | 'greta' = 'adam', sub?: string) => {
      const options = sub === undefined ? {} : { sub }
      const path = `/users?per_page=100&${search}`
      const { json } = await world.call(who, 'GET', path, undefined, options)
      expect([search, json.pagination.total]).toEqual([search, json.data.length])
      return { people: json.data as Listed[], facets: json.facets }
    }
    const idsOf = ({ people }: { people: Listed[] }) => people.map(({ id }) => id)
    const gone = await add({ send_welcome: false })
    const away = await add({ send_welcome: false, first_name: 'Awaya' })
    await world.call('adam', 'PATCH', `/users/${away.id}/activation`, { activation_status: 'disabled' })
    expect((await world.call('adam', 'POST', `/users/${gone.id}/erasure`)).status).toBe(200)
    expect(idsOf(await find('activation_status=disabled'))).toContain(away.id)
    expect(idsOf(await find('activation_status=disabled'))).not.toContain(gone.id)
    expect(idsOf(await find('activation_status=invited'))).not.toContain(away.id)
    const two = await find('activation_status=invited&activation_status=active&order_by=name')
    expect(new Set(two.people.map((one) => one.activation_status))).toEqual(new Set(['invited', 'active']))
    expect(idsOf(await find('activation_status=disabled&q=awaya&role=user'))).toEqual([away.id])

    const { north, south, people } = world
    const inNorth = await find(`sub_tenant_id=${north}`)
    expect(idsOf(inNorth)).toEqual(expect.arrayContaining([people.nora.user_id, people.both.user_id]))
    expect(idsOf(inNorth)).not.toContain(people.uri.user_id)
    expect(inNorth.facets.sub_tenant_id).toEqual([
      { id: north, name: 'Acme North' },
      { id: south, name: 'Acme South' },
    ])
    // A role counts only in its own sub-tenant.
    expect(idsOf(await find(`sub_tenant_id=${south}&role=admin`))).toEqual([])
    expect(idsOf(await find(`sub_tenant_id=${south}&role=user&q=both`))).toEqual([people.both.user_id])
    expect(idsOf(await find(`sub_tenant_id=${south}&q=nora`))).toEqual([])
    expect(
      idsOf(await find(`sub_tenant_id=${north}&sub_tenant_id=${south}&activation_status=active`)),
    ).toEqual(expect.arrayContaining([people.nora.user_id, people.both.user_id]))
    // The filter finds no people outside the caller's scope.
    expect(idsOf(await find(`sub_tenant_id=${south}`, 'nora', north))).toEqual([])
    expect(idsOf(await find(`sub_tenant_id=${north}`, 'greta'))).toEqual([])
    expect((await find('', 'nora', north)).facets).not.toHaveProperty('sub_tenant_id')
    const file = await world.call(
      'adam',
      'GET',
      `/users/export?sub_tenant_id=${north}&activation_status=active`,
    )
    expect(file.text).toContain(people.nora.email)
    expect(file.text).not.toContain(people.uri.email)
    for (const wrong of ['activation_status=erased', 'sub_tenant_id=north'])
      expect((await world.call('adam', 'GET', `/users?${wrong}`)).status).toBe(422)
  })

  it('sorts names alphabetically, regardless of case and accents', async () => {
    for (const last_name of ['Zhou', 'Çelik', 'Dane', 'berg', 'Östberg'])
      await add({ first_name: 'Ordered', last_name })
    const { json } = await world.call('adam', 'GET', '/users?q=Ordered&order_by=name&order=asc')
    expect(json.data.map((user: { last_name: string }) => user.last_name)).toEqual([
      ...['berg', 'Çelik', 'Dane', 'Östberg', 'Zhou'],
    ])
  })

  it('has a total equal to its rows for a super admin inside a sub-tenant', async () => {
    await add({ user_general_roles: [{ role: 'user', sub_tenant_id: world.north }] })
    const there = { as: world.acme, sub: world.north }
    for (const filter of ['', '&role=user', '&q=example', '&activation_status=invited']) {
      const path = `/users?per_page=100${filter}`
      const { json } = await world.call('sofia', 'GET', path, undefined, there)
      expect(json.data.length).toBeGreaterThan(0)
      expect(json.pagination.total).toBe(json.data.length)
    }
  })

  it('is counted and paged up to 10,000 people, and says if there are more', async () => {
    const { sql } = await import('kysely')
    const fill = (from: number, to: number) =>
      database.worker.transaction().execute(async (db) => {
        await sql`select set_config('app.tenant_id', ${world.globex}, true)`.execute(db)
        await sql`insert into users (tenant_id, email, first_name)
          select ${world.globex}, 'crowd' || n || '@crowd.example', 'Crowd' || n
          from generate_series(${from}::int, ${to}::int) n`.execute(db)
      })
    const page = async (number: number, search = '') =>
      (await world.call('greta', 'GET', `/users?page=${number}&per_page=100${search}`)).json
    await fill(1, 9_999)
    const whole = await page(100)
    expect(whole.pagination).toEqual({ current_page: 100, total_pages: 100, total: 10_000, per_page: 100 })
    expect(whole.data).toHaveLength(100)
    await fill(10_000, 10_050)
    const capped = { total_pages: 100, total: 10_000, per_page: 100, is_capped: true }
    expect((await page(1)).pagination).toEqual({ current_page: 1, ...capped })
    expect((await page(100)).data).toHaveLength(100)
    expect(await page(101)).toMatchObject({ data: [], pagination: { current_page: 101, ...capped } })
    const found = await page(1, '&q=crowd1004')
    expect(found.pagination).toMatchObject({ total: 11 })
    expect(found.pagination).not.toHaveProperty('is_capped')
    // PostgreSQL checks the role person by person if so many have it.
    await database.worker.transaction().execute(async (db) => {
      await sql`select set_config('app.tenant_id', ${world.globex}, true)`.execute(db)
      await sql`insert into user_general_roles (tenant_id, user_id, role)
        select tenant_id, id, 'user' from users where first_name like 'Crowd%'`.execute(db)
    })
    expect(await page(1, '&role=user')).toMatchObject({ pagination: { current_page: 1, ...capped } })
    expect((await page(100, '&role=user')).data).toHaveLength(100)
    expect((await page(1, '&role=admin')).pagination.total).toBeLessThan(10)
    // The file contains everyone, once, in the order of the list.
    const { text } = await world.call('greta', 'GET', '/users/export?order_by=email&order=asc')
    const emails = [...text.matchAll(/^(crowd\d+@)crowd/gm)].map(([, name]) => name)
    expect([emails.length, new Set(emails).size]).toEqual([10_050, 10_050])
    expect(emails).toEqual([...emails].sort())
  })

  it('is exported for administrators only, with formulas escaped', async () => {
    await add({ first_name: '=1+1', last_name: '@sum', job_title: '-2' })
    const { text, headers, status } = await world.call('adam', 'GET', '/users/export?q=people.example')
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
    expect(text).toContain(",'=1+1,'@sum,,'-2,")
    expect(text).not.toContain(world.people.greta.email)
    for (const who of ['aya', 'uri'] as const)
      expect((await world.call(who, 'GET', '/users/export')).status).toBe(403)
    expect((await world.call('nora', 'GET', '/users/export')).text).not.toContain(world.people.uri.email)
  })
})
