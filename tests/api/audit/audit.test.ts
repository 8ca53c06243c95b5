/** Who can read the audit log, its filters, and its export as CSV. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { record } from '#app/domain/audit/audit.server.ts'
import type { AuditEvent } from '#app/domain/audit/audit-event.ts'
import { inScope, systemActor } from '#app/domain/scope/scope.server.ts'
import { createWorld, type TenantsWorld } from '#tests/api/tenants/tenants-world.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'

let database: TestDatabase
let world: TenantsWorld
beforeAll(async () => {
  database = await createTestDatabase()
  world = await createWorld(database.app)
  const { acme, globex, north, south, people } = world
  const write = (
    tenant: string,
    sub_tenant_id: string | null,
    who: keyof typeof people,
    action: string,
    id: number,
  ) =>
    inScope(
      database.app,
      { ...systemActor(tenant), sub_tenant_id, user_id: people[who].user_id, email: people[who].email },
      (scope) => record(scope, action, { type: action.split('.')[0] ?? '', id }, { name: '=HYPERLINK("x")' }),
    )
  await write(acme, null, 'adam', 'journey.created', 1)
  await write(acme, null, 'adam', 'journey.updated', 1)
  await write(acme, null, 'adam', 'journeyman.created', 2)
  await write(acme, north, 'nora', 'user.created', 7)
  await write(acme, south, 'both', 'user.created', 8)
  await write(globex, null, 'greta', 'journey.created', 99)
})
afterAll(() => database?.drop())

const events = async (...call: Parameters<TenantsWorld['call']>) => {
  const { status, json } = await world.call(...call)
  expect(status).toBe(200)
  return json.data as AuditEvent[]
}
const named = (list: AuditEvent[]) => list.map(({ action, subject }) => `${action} ${subject.id}`)

describe('The audit log', () => {
  it('shows administrators what happened in their tenant, newest first', async () => {
    expect(named(await events('adam', 'GET', '/audit_events'))).toEqual([
      'user.created 8',
      'user.created 7',
      'journeyman.created 2',
      'journey.updated 1',
      'journey.created 1',
    ])
    expect(named(await events('greta', 'GET', '/audit_events'))).toEqual(['journey.created 99'])
  })

  it('shows administrators of a sub-tenant only what happened in it', async () => {
    expect(named(await events('nora', 'GET', '/audit_events'))).toEqual(['user.created 7'])
    const { both } = world.people
    expect(both.roles).toHaveLength(2)
    const inNorth = await events('both', 'GET', '/audit_events', undefined, { sub: world.north })
    expect(named(inNorth)).toEqual(['user.created 7'])
  })

  it.each(['aya', 'uri'] as const)('is closed to %s', async (who) => {
    expect((await world.call(who, 'GET', '/audit_events')).status).toBe(403)
    expect((await world.call(who, 'GET', '/audit_events/export')).status).toBe(403)
  })

  it.each([
    ['action=journey', ['journey.updated 1', 'journey.created 1']],
    ['action=journey.created', ['journey.created 1']],
    ['action=%25', []],
    ['subject=user', ['user.created 8', 'user.created 7']],
    ['subject=user:7', ['user.created 7']],
    // In the words of the screen.
    ['action=Journey%20created', ['journey.created 1']],
    ['subject=User%207', ['user.created 7']],
    ['actor=NORA', ['user.created 7']],
    ['actor=nobody', []],
    ['to=2020-01-01', []],
    ['from=2020-01-01&to=2999-01-01T00:00:00Z&subject=journeyman', ['journeyman.created 2']],
    ['page=2&per_page=2', ['journeyman.created 2', 'journey.updated 1']],
  ])('filters by %s', async (query, found) => {
    expect(named(await events('adam', 'GET', `/audit_events?${query}`))).toEqual(found)
  })

  it('rejects invalid filters', async () => {
    for (const query of ['from=yesterday', 'on_behalf_of=acme', 'page=0', 'per_page=1000'])
      expect((await world.call('adam', 'GET', `/audit_events?${query}`)).status).toBe(422)
  })

  it('pages events of the same moment without gaps or duplicates, and names their sub-tenant', async () => {
    const { acme, people, south } = world
    await inScope(
      database.app,
      { ...systemActor(acme), sub_tenant_id: south, user_id: people.both.user_id, email: people.both.email },
      async (scope) => {
        for (let id = 1; id <= 25; id++) await record(scope, 'lift.created', { type: 'lift', id })
      },
    )
    const pages: AuditEvent[][] = []
    for (const page of [1, 2, 3])
      pages.push(await events('adam', 'GET', `/audit_events?action=lift&page=${page}&per_page=10`))
    expect(new Set(pages.flat().map(({ at }) => at)).size).toBe(1)
    expect(pages.flat().map(({ subject }) => Number(subject.id))).toEqual(
      Array.from({ length: 25 }, (_, index) => 25 - index),
    )
    expect(pages[0]?.[0]).toMatchObject({ sub_tenant_id: south, sub_tenant: 'Acme South' })
    expect(await events('nora', 'GET', '/audit_events?action=lift')).toEqual([])
  })

  it('names the super admin who acted, and the tenant they acted for', async () => {
    const { acme, people } = world
    const company = { name: 'Acme', categories: ['Sales'], timezone: 'Europe/Vienna' }
    const saved = await world.call('sofia', 'PUT', '/tenants/me/company', company, { as: acme })
    expect(saved.status).toBe(200)
    const [event, ...others] = await events('adam', 'GET', `/audit_events?on_behalf_of=${acme}`)
    expect(others).toEqual([])
    expect(event).toMatchObject({
      action: 'company.updated',
      on_behalf_of: acme,
      actor: { id: people.sofia.user_id, email: people.sofia.email },
    })
  })

  it('adds the name of a sub-tenant next to its id', async () => {
    const { south } = world
    const roles = [{ role: 'author', sub_tenant_id: south }]
    const body = {
      first_name: 'Nils',
      last_name: 'Berg',
      email: 'nils@acme.example',
      user_general_roles: roles,
    }
    const { id } = (await world.call('adam', 'POST', '/users', body)).json
    const [created] = await events('adam', 'GET', `/audit_events?subject=user:${id}`)
    expect(JSON.stringify(created?.changes)).toContain(
      `{"role":"author","sub_tenant_id":"${south}","sub_tenant":"Acme South"}`,
    )
  })

  it('shows subjects by their current names, and deleted ones by the names they had at the time', async () => {
    const { acme } = world
    const body = {
      first_name: 'Aiko',
      last_name: 'Tanaka',
      email: 'aiko@acme.example',
      user_general_roles: [{ role: 'user', sub_tenant_id: null }],
    }
    const { id, lock_version } = (await world.call('adam', 'POST', '/users', body)).json
    const renamed = await world.call('adam', 'PUT', `/users/${id}`, { last_name: 'Mori', lock_version })
    expect(renamed.status).toBe(200)
    const about = async (name: string) =>
      (await events('adam', 'GET', `/audit_events?subject=${name}`)).map(({ action, subject }) => [
        action,
        subject.name,
        subject.is_there,
      ])
    const now = [
      ['user.updated', 'Aiko Mori', true],
      ['user.created', 'Aiko Mori', true],
    ]
    expect(await about('mori')).toEqual(now)
    // A search for the former name finds the lines that were written under it.
    expect(await about('Aiko%20Tanaka')).toEqual(now.slice(1))
    const file = await world.call('adam', 'GET', `/audit_events/export?subject=user:${id}`)
    expect(file.text).toContain(`user.updated,user,${id},Aiko Mori,`)

    expect((await world.call('adam', 'DELETE', `/users/${id}`)).status).toBeLessThan(300)
    expect(await about('aiko')).toEqual([
      ['user.deleted', 'Aiko Mori', false],
      ['user.updated', 'Aiko Mori', false],
      ['user.created', 'Aiko Tanaka', false],
    ])
    expect(await events('greta', 'GET', '/audit_events?subject=aiko')).toEqual([])
    const [settled] = await events('adam', 'GET', `/audit_events?on_behalf_of=${acme}`)
    expect(settled).toMatchObject({ on_behalf_of_name: 'Acme', subject: { name: 'Acme' } })
  })

  it('finds groups and API keys by their current names, and adds the names of people that a line lists by id', async () => {
    const { id, lock_version } = (await world.call('adam', 'POST', '/user_groups', { name: 'Night shift' }))
      .json
    await world.call('adam', 'PUT', `/user_groups/${id}`, { name: 'Day shift', lock_version })
    const actions = async (name: string) =>
      (await events('adam', 'GET', `/audit_events?subject=${name}`)).map(({ action }) => action)
    expect(await actions('day%20shift')).toEqual(['user_group.updated', 'user_group.created'])
    await world.call('adam', 'POST', '/api_keys', { name: 'Till system', role: 'author' })
    const admin = await database.connectAdmin()
    await admin.query(`update api_keys set name = 'Checkout system' where name = 'Till system'`)
    await admin.end()
    expect(await actions('checkout')).toEqual(['api_key.created'])
    // In the words of the screen, and as it is recorded.
    for (const said of ['Group created', 'user_group.created', 'User group created'])
      expect(await events('adam', 'GET', `/audit_events?action=${encodeURIComponent(said)}`)).toHaveLength(1)
    for (const said of [`group ${id}`, `user_group:${id}`])
      expect((await actions(encodeURIComponent(said))).length).toBe(2)
    const { user_id } = world.people.aya
    await world.call('adam', 'PATCH', `/user_groups/${id}/users`, { add_user_ids: [user_id] })
    const [line] = await events('adam', 'GET', '/audit_events?action=user_group.people_changed')
    expect(line).toMatchObject({ changes: { added: [user_id] }, names: { [`user:${user_id}`]: 'Aya Test' } })
    const file = await world.call('adam', 'GET', `/audit_events/export?subject=user_group:${id}`)
    expect(file.text).toContain(`"{""user:${user_id}"":""Aya Test""}"`)
  })

  it('stores old and new values of changed fields only, with phone numbers masked', async () => {
    const aya = world.people.aya.user_id
    const changed = await world.call('adam', 'PUT', `/users/${aya}`, {
      first_name: 'Ayame',
      job_title: 'Coach',
      mobile_phone: '+436601112223',
      user_general_roles: [{ role: 'user', sub_tenant_id: null }],
    })
    expect([changed.status, changed.text]).toEqual([200, expect.any(String)])
    const [event] = await events('adam', 'GET', `/audit_events?subject=user:${aya}`)
    expect(event?.changes).toEqual({
      first_name: { before: 'Aya', after: 'Ayame' },
      job_title: { before: null, after: 'Coach' },
      mobile_phone: { before: null, after: '********2223' },
      roles: {
        before: [{ role: 'author', sub_tenant_id: null }],
        after: [{ role: 'user', sub_tenant_id: null }],
      },
    })
  })

  it('is exported as CSV with the same filters, and without cells that a spreadsheet calculates', async () => {
    const { acme, people } = world
    await inScope(
      database.app,
      { ...systemActor(acme), user_id: people.adam.user_id, email: '=cmd|calc@evil.example' },
      (scope) => record(scope, '+signed.up', { type: '@sum', id: '-1+1' }),
    )
    const evil = await world.call('adam', 'GET', '/audit_events/export?actor=evil.example')
    expect(evil.text.trimEnd().split('\r\n')).toHaveLength(2)
    expect(evil.text).toContain(",'=cmd|calc@evil.example,Adam Test,,,,,'+signed.up,'@sum,'-1+1,,")
    const { status, text, headers } = await world.call('nora', 'GET', '/audit_events/export?subject=user')
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
    expect(headers.get('content-disposition')).toBe('attachment; filename="audit-log.csv"')
    const [head, row, ...rest] = text.trimEnd().split('\r\n')
    expect(head).toContain('id,at,actor_id,actor_email')
    expect(row).toContain('user.created,user,7')
    expect(rest).toEqual([])
    for (const cell of (row ?? '').split(',')) expect(cell).not.toMatch(/^"?[=+@-]/)
    const { total } = (await world.call('adam', 'GET', '/audit_events?action=lift&subject=lift:3')).json
      .pagination
    const same = await world.call('adam', 'GET', '/audit_events/export?action=lift&subject=lift:3')
    expect([total, same.text.trimEnd().split('\r\n').length - 1]).toEqual([1, 1])
  })

  it('is exported completely, or refused as too long', async () => {
    const admin = await database.connectAdmin()
    await admin.query(
      `insert into audit_events (tenant_id, at, action, subject_type, subject_name, changes)
       select $1, '2020-01-01Z'::timestamptz + n * interval '1 second', 'sea.filled', 'sea', 'Drop', '{}'
       from generate_series(1, 50001) n`,
      [world.globex],
    )
    const leave = async (query: string) => {
      const { status, json, text } = await world.call('greta', 'GET', `/audit_events/export?${query}`)
      return [status, json?.detail ?? text.trimEnd().split('\r\n').length - 1]
    }
    expect(await leave('action=sea')).toEqual([
      409,
      'That is more than 50,000 lines. Please narrow it down with the filters.',
    ])
    expect(await leave('action=sea&from=2020-01-01T00:00:02Z')).toEqual([200, 50_000])
    const { text } = await world.call(
      'greta',
      'GET',
      '/audit_events/export?action=sea&from=2020-01-01T00:00:02Z',
    )
    const seconds = text.match(/2020-01-01T\d\d:\d\d:\d\d/g) ?? []
    expect(seconds).toEqual([...new Set(seconds)].sort().reverse())
    expect(await leave('subject=drop&to=2020-01-02')).toEqual([
      409,
      'These words are too common. Please add another one.',
    ])
  })

  it('hides people outside a sub-tenant from its administrators, but names super admins', async () => {
    const { acme, north, people } = world
    const act = (who: 'adam' | 'sofia', id: number, more = {}) =>
      inScope(
        database.app,
        {
          ...{ ...systemActor(acme), sub_tenant_id: north, ...more },
          ...{ user_id: people[who].user_id, email: people[who].email },
        },
        (scope) => record(scope, 'outsider.acted', { type: 'outsider', id }),
      )
    await act('adam', 1)
    await act('sofia', 2, { home_tenant_id: people.sofia.tenant_id, is_impersonating: true })
    const shown = await events('nora', 'GET', '/audit_events?subject=outsider')
    expect(shown.map(({ actor }) => actor)).toEqual([
      { id: people.sofia.user_id, email: people.sofia.email, name: null },
      { id: people.adam.user_id, email: null, name: 'Someone outside this sub-tenant' },
    ])
    const by = async (who: 'nora' | 'adam', email: string) =>
      (await events(who, 'GET', `/audit_events?subject=outsider&actor=${email}`)).length
    expect([await by('nora', people.adam.email), await by('nora', people.sofia.email)]).toEqual([0, 1])
    expect(await by('adam', people.adam.email)).toBe(1)
    const { text } = await world.call('nora', 'GET', '/audit_events/export?subject=outsider')
    expect(text).not.toContain(people.adam.email)
  })
})
