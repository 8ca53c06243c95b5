/** How the API refuses malformed input. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWorld, type TenantsWorld } from '#tests/api/tenants/tenants-world.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'

let database: TestDatabase
let world: TenantsWorld
beforeAll(async () => {
  database = await createTestDatabase()
  world = await createWorld(database.app)
})
afterAll(() => database?.drop())

describe('An address', () => {
  it.each([
    ['DELETE', '/users', 'GET, POST, HEAD'],
    ['POST', '/audit_events', 'GET, HEAD'],
    ['POST', '/users/1', 'GET, PUT, DELETE, HEAD'],
  ])('answers %s %s with 405 and the methods it accepts', async (method, path, allow) => {
    const { status, headers, json } = await world.call(
      'adam',
      method,
      path,
      method === 'POST' ? {} : undefined,
    )
    expect([status, headers.get('allow')]).toEqual([405, allow])
    expect(json).toEqual({ has_error: true, status: 405, detail: `This address accepts ${allow}.` })
  })

  it('is not found if it accepts no method at all', async () => {
    for (const path of ['/nothing', '/users/none', '/audit_events/1'])
      expect((await world.call('adam', 'DELETE', path)).status).toBe(404)
  })
})

it('The API explains a wrong value in its own words, not in the validator’s', async () => {
  const sent = { daily_message_cap: 'ten', sending_stopped: 'yes', categories: 'Sales' }
  const { status, json, text } = await world.call('adam', 'PUT', '/tenants/me/company', sent)
  expect([status, json.detail.sending_stopped]).toEqual([422, ['Please send true or false']])
  expect(json.detail.categories).toEqual(['Please send a list'])
  expect(text).not.toMatch(/expected|received|Invalid/)
})

it.each(['page=1&page=2', 'page=x', 'per_page=1&per_page=2'])(
  'The API asks for one whole number instead of %s',
  async (query) => {
    const { status, json } = await world.call('adam', 'GET', `/users?${query}`)
    expect([status, Object.values(json.detail)]).toEqual([422, [['Please give one whole number']]])
  },
)

it.each([
  ['/lljs?status=finished', 'status', 'Please choose one of these'],
  ['/lljs?status=draft&status=finished', 'status.1', 'Please choose one of these'],
  ['/lljs?author=anna', 'author', 'Please enter a number'],
  ['/users?role=chief', 'role', 'Please choose one of these'],
])('The API rejects %s and names the wrong parameter', async (path, field, why) => {
  const { status, json } = await world.call('adam', 'GET', path)
  expect([status, json.detail]).toEqual([422, { [field]: [why] }])
})

it('The API rejects a body that is not UTF-8, and accepts a byte order mark', async () => {
  const { status, json } = await sendBytes(Buffer.from('{"name": "Zoë"}', 'latin1'))
  expect([status, json.detail]).toEqual([400, 'The request body is not UTF-8'])
  expect((await sendBytes(Buffer.from('\uFEFF{"name": "Zoë"}'))).status).toBe(201)
})

it('The API accepts the word “bearer” in lower case', async () => {
  const request = new Request('http://api.test/api/v1/lljs', {
    headers: { authorization: 'bearer adam', 'x-tenant-id': world.people.adam.tenant_id },
  })
  const caller = { token: 'adam', principal: world.people.adam }
  expect((await world.api.fetch(request, { caller })).status).toBe(200)
})

async function sendBytes(body: Buffer) {
  const principal = world.people.adam
  const request = new Request('http://api.test/api/v1/lljs', {
    ...{ method: 'POST', body: new Uint8Array(body) },
    headers: {
      authorization: 'Bearer adam',
      'x-tenant-id': principal.tenant_id,
      'content-type': 'application/json',
    },
  })
  const response = await world.api.fetch(request, { caller: { token: 'adam', principal } })
  return { status: response.status, json: (await response.json()) as { detail: unknown } }
}
