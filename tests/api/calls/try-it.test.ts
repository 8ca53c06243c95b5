/** “Try it” on the docs page of the API: one call with a key, by a plain form. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CALLS, nameOf } from '#app/api/contract/calls.ts'
import { isOpenToKeys } from '#app/api/contract/may.ts'
import { createWorld, type TenantsWorld } from '#tests/api/tenants/tenants-world.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'

let database: TestDatabase
let world: TenantsWorld
let key: string
beforeAll(async () => {
  database = await createTestDatabase()
  world = await createWorld(database.app)
  const made = await world.call('adam', 'POST', '/api_keys', { name: 'Docs', role: 'admin' })
  key = (made.json as { secret: string }).secret
})
afterAll(() => database?.drop())

const pathOf = (call: string) => `http://api.test/api/v1/docs/try?call=${encodeURIComponent(call)}`
const plain = (html: string) => html.replace(/<[^>]+>/g, '').replaceAll('&quot;', '"')

async function attempt(call: string, fields: Record<string, string>) {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.append(name, value)
  const answer = await world.api.fetch(new Request(pathOf(call), { method: 'POST', body }))
  const html = await answer.text()
  return { status: answer.status, html, text: plain(html), headers: answer.headers }
}

describe('Try it', () => {
  it('is offered for every call that a key can make and a form can send, and for no other', async () => {
    const page = await (await world.api.request('/api/v1/docs')).text()
    const offered = [...page.matchAll(/docs\/try\?call=([^"]+)"/g)].map(([, name = '']) =>
      decodeURIComponent(name),
    )
    const open = CALLS.filter((call) => isOpenToKeys(call) && call.may !== 'anyone' && !call.form)
    expect(offered).toEqual(open.map(nameOf))
    for (const call of ['GET /users/me', 'POST /api_keys', 'GET /nowhere'])
      expect((await world.api.request(pathOf(call))).status).toBe(404)
  })

  it('has a labeled field for the key, the sub-tenant, the path and the body', async () => {
    const page = await (await world.api.request(pathOf('PUT /lljs/{id}'))).text()
    for (const name of ['key', 'sub_tenant', 'id.id', 'body'])
      expect(page).toMatch(new RegExp(`<label for="${name}">.*(name="${name}")`))
    expect(page).toContain('type="password" autocomplete="off"')
  })

  it('makes the call, and shows the status, the rate limits and the response, but not the key', async () => {
    const { status, text, html, headers } = await attempt('GET /users', { key, 'query.per_page': '1' })
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(text).toContain('Answer: 200')
    expect(text).toMatch(/ratelimit-limit: 300\nratelimit-remaining: \d+\nratelimit-reset: \d+/)
    expect(text).toContain('"pagination"')
    expect(html).not.toContain(key)
  })

  it('sends a body, and shows again what was typed, but never the key', async () => {
    const made = await attempt('POST /lljs', { key, body: '{"name": "From <the> docs"}' })
    expect(made.text).toContain('Answer: 201')
    expect(made.html).toContain('From &lt;the&gt; docs')
    const wrong = await attempt('POST /lljs', { key, body: '{"name": ' })
    expect(wrong.text).toContain('Answer: 400')
    expect(wrong.text).toContain('{"name":')
    expect(made.html + wrong.html).not.toContain(key)
  })

  it('says that the key or a part of the path is missing', async () => {
    const without = await attempt('GET /users', {})
    expect([without.status, without.text]).toEqual([400, expect.stringContaining('Enter an API key.')])
    expect(without.html).toContain('<title>Error: ')
    const nameless = await attempt('GET /users/{id}', { key, 'id.id': ' ' })
    expect([nameless.status, nameless.text]).toEqual([400, expect.stringContaining('Enter id.')])
  })

  it('gives no access that the key itself would not have', async () => {
    const foreign = await attempt('GET /users/{id}', { key, 'id.id': '../api_keys' })
    expect(foreign.text).toMatch(/Answer: 4\d\d/)
    const unknown = await attempt('GET /users', { key: `lw_${'0'.repeat(64)}` })
    expect(unknown.text).toContain('Answer: 401')
  })
})
