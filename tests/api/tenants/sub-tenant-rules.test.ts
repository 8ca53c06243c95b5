/** The settings that a sub-tenant can override: drafts, the second factor, quiet hours. */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ownSecondFactorIsDue } from '#app/domain/authenticator/second-factor.server.ts'
import { quietHoursOf, settingsInForce } from '#app/domain/hours/quiet-hours.ts'
import { inScope, systemActor } from '#app/domain/scope/scope.server.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { createWorld, type TenantsWorld } from './tenants-world.ts'

let database: TestDatabase
let world: TenantsWorld
beforeAll(async () => {
  database = await createTestDatabase()
  world = await createWorld(database.app)
})
afterAll(() => database?.drop())

const NOTHING = { authors_may_create_drafts: null, admins_need_second_factor: null, quiet_hours: null }
const USUAL = {
  authors_may_create_drafts: false,
  admins_need_second_factor: false,
  quiet_hours: { from: '20:00', to: '09:00' },
}
const one = (id: string) => `/tenants/me/sub_tenants/${id}`
const settle = (body: object, who: 'nora' | 'adam' = 'nora') =>
  world.call(who, 'PUT', `${one(world.north)}/company`, body)
const company = (body: object) => world.call('adam', 'PUT', '/tenants/me/company', body)

beforeEach(async () => {
  await company(USUAL)
  await settle(NOTHING)
})

describe('A sub-tenant', () => {
  it('starts with the company’s settings, and follows their changes', async () => {
    const before = (await world.call('nora', 'GET', one(world.north))).json
    expect(before).toMatchObject({ ...NOTHING, of_company: USUAL, in_force: USUAL })
    await company({ authors_may_create_drafts: true, quiet_hours: { from: '19:00', to: '10:00' } })
    const after = (await world.call('nora', 'GET', one(world.north))).json
    expect(after).toMatchObject({ ...NOTHING, in_force: after.of_company })
    expect(after.in_force).toMatchObject({
      authors_may_create_drafts: true,
      quiet_hours: { from: '19:00', to: '10:00' },
    })
  })

  it('can override each setting separately, and return to the company’s', async () => {
    const own = {
      authors_may_create_drafts: true,
      admins_need_second_factor: true,
      quiet_hours: { from: '18:00', to: '10:30' },
    } as const
    for (const [name, value] of Object.entries(own)) await settle({ [name]: value })
    expect((await settle({ categories: ['Ice'] })).json).toMatchObject({
      ...own,
      categories: ['Ice'],
      in_force: own,
      of_company: USUAL,
    })
    const { json } = await settle({ quiet_hours: null })
    expect(json).toMatchObject({ ...own, quiet_hours: null })
    expect(json.in_force.quiet_hours).toEqual(USUAL.quiet_hours)
    expect((await settle(NOTHING)).json).toMatchObject({ ...NOTHING, in_force: USUAL })
    const stored = await inScope(database.app, systemActor(world.acme), ({ db }) =>
      db.selectFrom('sub_tenants').select('settings').where('id', '=', world.north).execute(),
    )
    expect(stored).toEqual([{ settings: {} }])
  })

  it('can forbid its authors the drafts that the company allows', async () => {
    await company({ authors_may_create_drafts: true })
    const { json } = await settle({ authors_may_create_drafts: false })
    expect(json.in_force.authors_may_create_drafts).toBe(false)
  })

  it('gets settings from the company’s administrators and super admins too, even at its creation', async () => {
    const saved = await world.call('adam', 'PUT', one(world.north), { authors_may_create_drafts: true })
    expect(saved.json).toMatchObject({ authors_may_create_drafts: true, quiet_hours: null })
    const quiet_hours = { from: '17:00', to: '10:00' }
    const made = await world.call('adam', 'POST', '/tenants/me/sub_tenants', { name: 'West', quiet_hours })
    expect([made.status, made.json.quiet_hours, made.json.in_force.quiet_hours]).toEqual([
      201,
      quiet_hours,
      quiet_hours,
    ])
    const late = { name: 'East', quiet_hours: { from: '21:00', to: '09:00' } }
    expect((await world.call('adam', 'POST', '/tenants/me/sub_tenants', late)).status).toBe(422)
    const bySofia = `/tenants/${world.acme}/sub_tenants/${world.north}`
    expect((await world.call('sofia', 'PUT', bySofia, { quiet_hours })).json).toMatchObject({ quiet_hours })
  })

  it('has its overrides and their removal in the audit log', async () => {
    await settle({ quiet_hours: { from: '18:30', to: '09:00' }, admins_need_second_factor: true })
    await settle({ quiet_hours: null })
    const { json } = await world.call('adam', 'GET', '/audit_events?action=company.updated')
    expect(json.data.slice(0, 2).map((event: { changes: object }) => event.changes)).toEqual([
      { quiet_hours: { before: { from: '18:30', to: '09:00' }, after: null } },
      {
        quiet_hours: { before: null, after: { from: '18:30', to: '09:00' } },
        admins_need_second_factor: { before: null, after: true },
      },
    ])
    expect(json.data[0]).toMatchObject({ subject: { type: 'sub_tenant', id: world.north } })
  })

  it.each([
    { quiet_hours: { from: '21:01', to: '09:00' } },
    { quiet_hours: { from: '20:30', to: '09:00' } },
    { quiet_hours: { from: '20:00', to: '08:30' } },
    { quiet_hours: { from: '12:00', to: '12:00' } },
    { quiet_hours: { from: '20:00' } },
    { quiet_hours: { from: '20:00', to: '09:00', zone: 'UTC' } },
    { quiet_hours: 'company' },
    { authors_may_create_drafts: 'yes' },
    { admins_need_second_factor: false },
    { admins_need_second_factor: 'company' },
    { daily_message_cap: 5 },
    { sending_stopped: true },
  ])('refuses the settings %j', async (body) => {
    const { status, json } = await settle(body)
    expect([status, Object.keys(json.detail).length]).toEqual([422, 1])
    expect((await world.call('nora', 'GET', one(world.north))).json.in_force).toEqual(USUAL)
  })

  it('names the end at which the company’s quiet hours are longer, and keeps its own if those change', async () => {
    const late = await settle({ quiet_hours: { from: '20:30', to: '09:00' } })
    expect(late.json.detail).toEqual({
      'quiet_hours.from': ['The company’s quiet hours start at 8:00 PM: please choose that or earlier'],
    })
    const early = await settle({ quiet_hours: { from: '19:00', to: '08:00' } })
    expect(early.json.detail).toEqual({
      'quiet_hours.to': ['The company’s quiet hours end at 9:00 AM: please choose that or later'],
    })
    const quiet_hours = { from: '18:00', to: '09:00' }
    await settle({ quiet_hours })
    await company({ quiet_hours: { from: '17:00', to: '08:00' } })
    const again = await settle({ quiet_hours, categories: [] })
    expect(again.json).toMatchObject({
      quiet_hours,
      in_force: { quiet_hours: { from: '17:00', to: '09:00' } },
    })
  })

  it('refuses changes by authors and users, and is hidden from other sub-tenants and companies', async () => {
    const body = { quiet_hours: { from: '18:00', to: '09:00' } }
    for (const path of ['', '/company'])
      for (const [who, id, status] of [
        ['nora', world.south, 404],
        ['greta', world.north, 404],
        ['aya', world.north, 403],
        ['uri', world.north, 403],
      ] as const)
        expect([who, path, (await world.call(who, 'PUT', one(id) + path, body)).status]).toEqual([
          who,
          path,
          status,
        ])
    // From inside, only the sub-tenant's own rules can be changed, not its other settings.
    expect((await world.call('nora', 'PUT', one(world.north), body)).status).toBe(403)
    const south = await world.call('adam', 'GET', one(world.south))
    expect(south.json).toMatchObject(NOTHING)
  })
})

describe('“Authors can create drafts” of a sub-tenant', () => {
  it('applies to authors while they work in that sub-tenant', async () => {
    await settle({ authors_may_create_drafts: true })
    const begin = async (name: string, sub: string | null) => {
      const me = await world.call('aya', 'GET', '/users/me', undefined, { sub })
      const made = await world.call('aya', 'POST', '/lljs', { name }, { sub })
      return [me.json.authors_may_create_drafts, made.status]
    }
    expect(await begin('In North', world.north)).toEqual([true, 201])
    expect(await begin('In South', world.south)).toEqual([false, 403])
    expect(await begin('In the middle', null)).toEqual([false, 403])
    await company({ authors_may_create_drafts: true })
    await settle({ authors_may_create_drafts: false })
    expect(await begin('Not in North', world.north)).toEqual([false, 403])
    expect(await begin('In South now', world.south)).toEqual([true, 201])
    expect(await begin('In the middle now', null)).toEqual([true, 201])
  })
})

describe('A second factor that a sub-tenant requires', () => {
  const isDue = (who: keyof TenantsWorld['people'], sub: string | null = null) => {
    const { user_id, tenant_id } = world.people[who]
    const actor = { ...systemActor(tenant_id), user_id, sub_tenant_id: sub }
    return inScope(database.app, actor, (scope) => ownSecondFactorIsDue(scope, true))
  }

  it('is required of its administrators, even in another sub-tenant, and of no other people', async () => {
    expect([await isDue('nora', world.north), await isDue('both'), await isDue('adam')]).toEqual([
      false,
      false,
      false,
    ])
    await settle({ admins_need_second_factor: true })
    expect(await isDue('nora', world.north)).toBe(true)
    expect(await isDue('both')).toBe(true)
    expect(await isDue('both', world.south)).toBe(true)
    for (const who of ['adam', 'aya', 'uri', 'greta'] as const)
      expect([who, await isDue(who)]).toEqual([who, false])
    await world.call('adam', 'DELETE', one(world.north))
    expect(await isDue('both')).toBe(false)
    await world.call('adam', 'POST', `${one(world.north)}/restore`)
    await world.call('adam', 'PUT', one(world.north), { status: 'active' })
  })

  it('is still required if the company requires it and the sub-tenant does not', async () => {
    await company({ admins_need_second_factor: true })
    expect((await settle({ admins_need_second_factor: null }, 'adam')).json.in_force).toMatchObject({
      admins_need_second_factor: true,
    })
    expect([await isDue('nora', world.north), await isDue('adam')]).toEqual([true, true])
    expect(await isDue('both')).toBe(true)
  })
})

describe('The quiet hours of a company and its sub-tenant', () => {
  const HOURS = ['12:00', '17:30', '20:00', '20:30', '21:00', '23:00']
  const MORNINGS = ['06:00', '08:00', '09:00', '11:30', '12:00']
  const hours = [null, ...HOURS.flatMap((from) => MORNINGS.map((to) => ({ quiet_hours: { from, to } })))]
  const junk = [
    { quiet_hours: { from: '9', to: 3 } },
    { quiet_hours: null },
    { quiet_hours: { from: '08:00', to: '20:00' } },
  ]
  const settings = [...hours, ...junk]

  it('are the same in the planner and in the database', async () => {
    const pairs = settings.flatMap((whole) =>
      settings.map((subTenant) => ({ whole: whole ?? {}, subTenant })),
    )
    for (const isKnown of [true, false]) {
      const { rows } = await sql<{ quiet_from: string; quiet_to: string }>`
        select to_char(h.quiet_from, 'HH24:MI') as quiet_from, to_char(h.quiet_to, 'HH24:MI') as quiet_to
        from jsonb_array_elements(${JSON.stringify(pairs)}::jsonb) with ordinality as p (pair, nth)
          cross join lateral quiet_hours_of(p.pair -> 'whole', nullif(p.pair -> 'subTenant', 'null'), ${isKnown}) h
        order by nth`.execute(database.app)
      expect(rows).toEqual(
        pairs.map(({ whole, subTenant }) => {
          const { from, to } = quietHoursOf(settingsInForce(whole, subTenant), isKnown)
          return { quiet_from: from, quiet_to: to }
        }),
      )
    }
  })

  it('are never shorter than those of the company', () => {
    for (const whole of hours)
      for (const subTenant of settings) {
        const company = quietHoursOf(whole ?? {}, true)
        const here = quietHoursOf(settingsInForce(whole ?? {}, subTenant), true)
        expect(here.from <= company.from && here.to >= company.to && here.from > here.to).toBe(true)
      }
  })
})
