import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { createWorld, type TenantsWorld } from './tenants-world.ts'

let database: TestDatabase
let world: TenantsWorld

beforeAll(async () => {
  database = await createTestDatabase()
  world = await createWorld(database.app)
})
afterAll(() => database?.drop())

const settle = (body: object) => world.call('adam', 'PUT', '/tenants/me/company', body)

describe('The settings of a company', () => {
  it('have defaults, and can be changed one by one', async () => {
    const before = (await world.call('adam', 'GET', '/tenants/me')).json
    expect(before).toMatchObject({
      authors_may_create_drafts: false,
      admins_need_second_factor: false,
      quiet_hours: { from: '20:00', to: '09:00' },
    })
    await settle({ authors_may_create_drafts: true })
    const { json } = await settle({
      admins_need_second_factor: true,
      quiet_hours: { from: '19:00', to: '10:00' },
    })
    expect(json).toMatchObject({
      authors_may_create_drafts: true,
      admins_need_second_factor: true,
      quiet_hours: { from: '19:00', to: '10:00' },
    })
    expect((await world.call('aya', 'GET', '/users/me')).json.authors_may_create_drafts).toBe(true)
  })

  it('cause a notification to other administrators only if a value has changed', async () => {
    const role = { user_general_roles: [{ role: 'admin' }] }
    await world.call('adam', 'PUT', `/users/${world.people.aya.user_id}`, role)
    const told = async () => (await world.call('aya', 'GET', '/notifications')).json.data.length
    const before = await told()
    for (const sending_stopped of [true, true, false, false]) await settle({ sending_stopped })
    expect((await told()) - before).toBe(2)
  })

  it.each([
    [{ from: '21:00', to: '08:00' }, 200],
    [{ from: '21:01', to: '08:00' }, 422],
    [{ from: '21:00', to: '07:59' }, 422],
    [{ from: '12:00', to: '11:59' }, 200],
    [{ from: '12:00', to: '12:00' }, 422],
    [{ from: '09:00', to: '20:00' }, 422],
    [{ from: '25:00', to: '08:00' }, 422],
    [{ from: '20:00' }, 422],
    [{ from: '20:00', to: '09:00', zone: 'UTC' }, 422],
  ])('answer quiet hours %j with %i', async (quiet_hours, status) => {
    expect((await settle({ quiet_hours })).status).toBe(status)
  })

  it('include a daily message cap and a switch that stops all messages', async () => {
    expect((await world.call('adam', 'GET', '/tenants/me')).json).toMatchObject({
      sending_stopped: false,
      daily_message_cap: null,
    })
    const { json } = await settle({ sending_stopped: true, daily_message_cap: 500 })
    expect(json).toMatchObject({ sending_stopped: true, daily_message_cap: 500 })
    expect((await settle({ daily_message_cap: null })).json).toMatchObject({
      sending_stopped: true,
      daily_message_cap: null,
    })
    for (const daily_message_cap of [0, -1, 1.5, 1_000_001, '10'])
      expect((await settle({ daily_message_cap })).status).toBe(422)
    expect((await settle({ sending_stopped: 'yes' })).status).toBe(422)
    const log = await world.call('adam', 'GET', '/audit_events?action=company.updated')
    expect(log.text).toContain('"sending_stopped":{"after":true,"before":false}')
  })

  it('can be changed only by administrators of the whole company', async () => {
    const path = `/tenants/me/sub_tenants/${world.north}/company`
    expect((await world.call('nora', 'PUT', path, { admins_need_second_factor: false })).status).toBe(422)
    for (const who of ['nora', 'aya', 'uri'] as const) {
      const body = { admins_need_second_factor: false }
      expect((await world.call(who, 'PUT', '/tenants/me/company', body)).status).toBe(403)
    }
  })
})
