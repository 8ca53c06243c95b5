/** How the API says no to what is sent in a way it does not take. */
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

describe('A known address', () => {
  it.each([
    ['DELETE', '/users', 'GET, POST, HEAD'],
    ['POST', '/audit_events', 'GET, HEAD'],
    ['POST', '/users/1', 'GET, PUT, DELETE, HEAD'],
  ])('asked by %s %s names the methods it takes', async (method, path, allow) => {
    const { status, headers, json } = await world.call(
      'adam',
      method,
      path,
      method === 'POST' ? {} : undefined,
    )
    expect([status, headers.get('allow')]).toEqual([405, allow])
    expect(json).toEqual({ has_error: true, status: 405, detail: `This address accepts ${allow}.` })
  })

  it('is not found where nothing answers by any method', async () => {
    for (const path of ['/nothing', '/users/none', '/audit_events/1'])
      expect((await world.call('adam', 'DELETE', path)).status).toBe(404)
  })
})

it('says what is wrong with a value in our own words', async () => {
  const sent = { daily_message_cap: 'ten', sending_stopped: 'yes', categories: 'Sales' }
  const { status, json, text } = await world.call('adam', 'PUT', '/tenants/me/company', sent)
  expect([status, json.detail.sending_stopped]).toEqual([422, ['Please send true or false']])
  expect(json.detail.categories).toEqual(['Please send a list'])
  expect(text).not.toMatch(/expected|received|Invalid/)
})

it.each(['page=1&page=2', 'page=x', 'per_page=1&per_page=2'])(
  'asks for one number instead of %s',
  async (query) => {
    const { status, json } = await world.call('adam', 'GET', `/users?${query}`)
    expect([status, Object.values(json.detail)]).toEqual([422, [['Please give one whole number']]])
  },
)
