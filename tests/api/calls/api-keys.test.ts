/** API keys: what they can do, what they can never do, and when they stop working. */
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApi } from '#app/api/app.server.ts'
import { CALLS, nameOf } from '#app/api/contract/calls.ts'
import { isOpenToKeys } from '#app/api/contract/may.ts'
import { limitKeys } from '#app/api/key-rates.server.ts'
import { createWorld, type TenantsWorld } from '#tests/api/tenants/tenants-world.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'

let database: TestDatabase
let world: TenantsWorld
let admin: pg.Client

beforeAll(async () => {
  database = await createTestDatabase()
  world = await createWorld(database.app)
  admin = await database.connectAdmin()
})
afterAll(() => database?.drop())

type Who = keyof TenantsWorld['people']
type Headers = Record<string, string>
let made = 0

async function makeKey(who: Who = 'adam', input: object = {}, options: object = {}) {
  const body = { name: `Key ${++made}`, role: 'admin', ...input }
  const answer = await world.call(who, 'POST', '/api_keys', body, options)
  if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`)
  return answer.json as { id: number; secret: string; name: string }
}

async function by(secret: string, method: string, path: string, body?: object, headers: Headers = {}) {
  const request = new Request(`http://api.test/api/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${secret}`,
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...headers,
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const response = await world.api.fetch(request)
  return { status: response.status, headers: response.headers, json: await response.json() }
}
const told = async (secret: string) => (await by(secret, 'GET', '/lljs')).json.detail
const REFUSED =
  'This API key does not work: it is mistyped, has expired or was revoked, or who created it is no longer an active administrator here.'
const statusOf = async (...asked: Parameters<typeof by>) => (await by(...asked)).status

const person = (email: string, role = 'user', sub_tenant_id?: string) => ({
  ...{ first_name: 'Pat', email, send_welcome: false },
  user_general_roles: [{ role, ...(sub_tenant_id ? { sub_tenant_id } : {}) }],
})

describe('The secret of an API key', () => {
  it('has 256 bits after lw_, is returned once, and is stored only as its digest', async () => {
    const { id, secret } = await makeKey()
    expect(secret).toMatch(/^lw_[0-9a-f]{64}$/)
    const { rows } = await admin.query(
      `select secret_hash = sha256($1::bytea) as is_digest, row_to_json(k)::text as row from api_keys k where id = $2`,
      [Buffer.from(secret), id],
    )
    expect([rows[0].is_digest, rows[0].row.includes(secret)]).toEqual([true, false])
    const shown = await world.call('adam', 'GET', `/api_keys/${id}`)
    const listed = await world.call('adam', 'GET', '/api_keys')
    expect([shown.text, listed.text].some((text) => text.includes(secret))).toBe(false)
    const kept = await admin.query(
      `select (select count(*) from audit_events where changes::text like '%' || $1 || '%')
        + (select count(*) from idempotency_keys where body like '%' || $1 || '%') as times`,
      [secret],
    )
    expect(Number(kept.rows[0].times)).toBe(0)
  })

  it('is refused when it is cut, changed, extended or in capitals', async () => {
    const { secret } = await makeKey()
    const last = secret.endsWith('0') ? '1' : '0'
    const wrong = [
      secret.slice(0, -1),
      `${secret.slice(0, -1)}${last}`,
      secret.toUpperCase(),
      'lw_',
      `${secret}0`,
    ]
    expect(await statusOf(secret, 'GET', '/users')).toBe(200)
    for (const one of wrong) expect([one, await statusOf(one, 'GET', '/users')]).toEqual([one, 401])
    // The prefix of a key is in lower case.
    for (const one of wrong.filter((one) => one.startsWith('lw_'))) expect(await told(one)).toBe(REFUSED)
  })

  it('is renewed, without a second key, when the same form is sent again before the key is used', async () => {
    const body = { name: 'Twice', role: 'author', request_id: '0b6f3f5e-6c39-4d77-9a07-1b1d6f1f2f10' }
    const both = await Promise.all([1, 2].map(() => world.call('adam', 'POST', '/api_keys', body)))
    const ids = both.map(({ json }) => json.id)
    expect([both.map(({ status }) => status), new Set(ids).size]).toEqual([[201, 201], 1])
    const again = await world.call('adam', 'POST', '/api_keys', body)
    expect(again.json.id).toBe(ids[0])
    expect(await statusOf(again.json.secret, 'GET', '/lljs')).toBe(200)
    for (const { json } of both) expect(await statusOf(json.secret, 'GET', '/lljs')).toBe(401)
    // Once the key was used, the form that made it cannot renew it.
    const late = await world.call('adam', 'POST', '/api_keys', body)
    expect([late.status, await statusOf(again.json.secret, 'GET', '/lljs')]).toEqual([409, 200])
    const other = await world.call('adam', 'POST', '/api_keys', { ...body, name: 'Other words' })
    expect(other.json.id).not.toBe(ids[0])
  })
})

describe('Creating an API key', () => {
  it('is for administrators of the company or the sub-tenant, not for visiting super admins', async () => {
    const body = { name: 'Mine', role: 'author' }
    const tries = [
      ['aya', {}, 403],
      ['uri', {}, 403],
      ['both', { sub: world.south }, 403],
      ['sofia', {}, 403],
      ['sofia', { as: world.acme }, 403],
      ['greta', {}, 201],
      ['nora', {}, 201],
      ['both', { sub: world.north }, 201],
    ] as const
    for (const [who, options, status] of tries)
      expect([who, (await world.call(who, 'POST', '/api_keys', body, options)).status]).toEqual([who, status])
  })

  it('shows people of a sub-tenant the creator’s name only if the creator is one of them', async () => {
    const of = async (who: 'adam' | 'nora', id: number) =>
      (await world.call(who, 'GET', `/api_keys/${id}`)).json.made_by.name
    const made = await world.call('adam', 'POST', '/api_keys', {
      ...{ name: 'For North', role: 'author', sub_tenant_id: world.north },
    })
    expect(await of('nora', made.json.id)).toBe('Someone outside this sub-tenant')
    expect(await of('adam', made.json.id)).toBe('Adam Test')
    const own = await world.call('nora', 'POST', '/api_keys', { name: 'Own', role: 'author' })
    expect([await of('nora', own.json.id), await of('adam', own.json.id)]).toEqual(['Nora Test', 'Nora Test'])
  })

  it('gives the key no further reach than its creator has', async () => {
    const into = (sub_tenant_id: string) => ({ name: 'Wide', role: 'admin', sub_tenant_id })
    expect((await world.call('nora', 'POST', '/api_keys', into(world.south))).status).toBe(422)
    expect((await world.call('greta', 'POST', '/api_keys', into(world.north))).status).toBe(422)
    const north = await makeKey('nora')
    const { json } = await by(north.secret, 'GET', '/users')
    const emails = json.data.map(({ email }: { email: string }) => email)
    expect(emails).toContain(world.people.nora.email)
    expect(emails).not.toContain(world.people.adam.email)
    const south = { 'x-sub-tenant-id': world.south }
    expect(await statusOf(north.secret, 'GET', '/users', undefined, south)).toBe(403)
    const whole = await makeKey('adam')
    expect(await statusOf(whole.secret, 'GET', '/users', undefined, south)).toBe(200)
    const narrow = await makeKey('adam', { sub_tenant_id: world.south })
    expect(
      (await by(narrow.secret, 'GET', '/users')).json.data.map((one: { id: number }) => one.id),
    ).not.toContain(world.people.nora.user_id)
  })

  it.each([
    [{ role: 'super_admin' }, 'role'],
    [{ role: 'user' }, 'role'],
    [{ name: ' ' }, 'name'],
    [{ expires_in_days: 0 }, 'expires_in_days'],
    [{ expires_in_days: 366 }, 'expires_in_days'],
    [{ is_super_admin: true }, 'is_super_admin'],
    [{ secret: 'mine' }, 'secret'],
  ])('is refused with %j', async (wrong, field) => {
    const answer = await world.call('adam', 'POST', '/api_keys', { name: 'N', role: 'admin', ...wrong })
    expect([answer.status, Object.keys(answer.json.detail)]).toEqual([422, [field]])
  })

  it('is refused when the company has 50 active keys', async () => {
    const living = await admin.query(
      'select count(*) from api_keys where tenant_id = $1 and revoked_on is null',
      [world.globex],
    )
    for (let n = Number(living.rows[0].count); n < 50; n++) await makeKey('greta')
    const full = await world.call('greta', 'POST', '/api_keys', { name: 'One more', role: 'admin' })
    expect(full.status).toBe(409)
    await admin.query('delete from api_keys where tenant_id = $1', [world.globex])
  })
})

describe('An API key', () => {
  it('of an author can do what an author can, and a read-only key can change nothing', async () => {
    const author = await makeKey('adam', { role: 'author' })
    expect(await statusOf(author.secret, 'GET', '/lljs')).toBe(200)
    expect(await statusOf(author.secret, 'POST', '/users', person('a@keys.example'))).toBe(403)
    expect(await statusOf(author.secret, 'GET', '/audit_events')).toBe(403)
    const reader = await makeKey('adam', { is_read_only: true })
    expect(await statusOf(reader.secret, 'GET', '/users')).toBe(200)
    for (const { method, path } of CALLS.filter((call) => call.method !== 'GET' && call.may !== 'anyone')) {
      const answer = await by(reader.secret, method, path.replace(/\{\w+\}/g, '1'), {})
      expect([path, answer.status]).toEqual([path, 403])
    }
  })

  it('is refused by every call that is only for people', async () => {
    const { secret } = await makeKey()
    const open = CALLS.filter(isOpenToKeys).map(nameOf)
    const closed = CALLS.filter((call) => call.may !== 'anyone' && !isOpenToKeys(call))
    for (const { method, path } of closed) {
      const answer = await by(
        secret,
        method,
        path.replace(/\{\w+\}/g, '1'),
        method === 'GET' ? undefined : {},
      )
      expect([nameOf({ method, path }), answer.status, answer.json.detail]).toEqual([
        nameOf({ method, path }),
        403,
        'This call is for people who are signed in, not for API keys.',
      ])
    }
    const never =
      /\/(api_keys|users\/me|notifications|learner|testing|pools?|todo|sponsors_journeys|restore|company)(\/|$)|second_factor|password|erasure|data_export|\/(page|scores|forms\/\{userId\}|encouragements|acknowledge)$/
    expect(open.filter((name) => never.test(name))).toEqual([])
    expect(open.filter((name) => /^(POST|PUT|PATCH|DELETE) \/tenants/.test(name))).toEqual([])
  })

  it('cannot enter another company or impersonate', async () => {
    const { secret } = await makeKey()
    const other = { 'x-tenant-id': world.globex }
    expect(await statusOf(secret, 'GET', '/users', undefined, other)).toBe(403)
    const inside = { 'x-impersonate-tenant-id': world.globex }
    expect(await statusOf(secret, 'GET', '/users', undefined, inside)).toBe(403)
    expect(await statusOf(secret, 'GET', `/tenants/${world.globex}`)).toBe(404)
    expect(await statusOf(secret, 'GET', '/tenants')).toBe(403)
  })

  it('can create and change learners and authors, but not administrators or its creator', async () => {
    const { secret } = await makeKey()
    expect(await statusOf(secret, 'POST', '/users', person('boss@keys.example', 'admin'))).toBe(403)
    const { json: learner } = await by(secret, 'POST', '/users', person('learner@keys.example'))
    const roles = (role: string) => ({ user_general_roles: [{ role }] })
    expect(await statusOf(secret, 'PUT', `/users/${learner.id}`, { job_title: 'Nurse' })).toBe(200)
    expect(await statusOf(secret, 'PUT', `/users/${learner.id}`, roles('admin'))).toBe(403)
    expect(await statusOf(secret, 'PUT', `/users/${learner.id}`, roles('author'))).toBe(200)
    for (const who of ['adam', 'nora'] as const) {
      const path = `/users/${world.people[who].user_id}`
      expect(await statusOf(secret, 'PUT', path, { job_title: 'Owned' })).toBe(403)
      expect(await statusOf(secret, 'PATCH', `${path}/activation`, { activation_status: 'disabled' })).toBe(
        403,
      )
      expect(await statusOf(secret, 'DELETE', path)).toBe(403)
    }
  })

  it('of a sub-tenant cannot change an administrator of the whole company', async () => {
    const both = {
      ...person('both@keys.example'),
      user_general_roles: [{ role: 'admin' }, { role: 'user', sub_tenant_id: world.north }],
    }
    const { id } = (await world.call('adam', 'POST', '/users', both)).json
    const { secret } = await makeKey('nora')
    const author = { user_general_roles: [{ role: 'author', sub_tenant_id: world.north }] }
    expect(await statusOf(secret, 'GET', `/users/${id}`)).toBe(200)
    expect(await statusOf(secret, 'PUT', `/users/${id}`, author)).toBe(403)
  })

  it('does not get the response that its creator got under the same Idempotency-Key', async () => {
    const body = { name: 'Idempotent' }
    const mine = await world.call('adam', 'POST', '/lljs', body, { key: 'same' })
    const { secret } = await makeKey()
    const its = await by(secret, 'POST', '/lljs', body, { 'idempotency-key': 'same' })
    const repeat = await by(secret, 'POST', '/lljs', body, { 'idempotency-key': 'same' })
    expect([mine.status, its.status, its.json.id === mine.json.id]).toEqual([201, 201, false])
    expect([repeat.json.id, repeat.headers.get('idempotency-replayed')]).toEqual([its.json.id, 'true'])
  })

  it('accepts an Idempotency-Key of up to 200 characters', async () => {
    const { secret } = await makeKey()
    const make = (key: string) => by(secret, 'POST', '/lljs', { name: 'Long' }, { 'idempotency-key': key })
    const first = await make('k'.repeat(200))
    const repeat = await make('k'.repeat(200))
    expect([first.status, repeat.json.id === first.json.id]).toEqual([201, true])
    expect((await make(`${'k'.repeat(199)}x`)).json.id).not.toBe(first.json.id)
    expect((await make('k'.repeat(201))).status).toBe(400)
  })
})

describe('An API key stops working', () => {
  const works = async (secret: string) => (await statusOf(secret, 'GET', '/lljs')) === 200

  it('at once when it is revoked', async () => {
    const { id, secret } = await makeKey()
    expect(await works(secret)).toBe(true)
    expect((await world.call('adam', 'DELETE', `/api_keys/${id}`)).json.state).toBe('revoked')
    expect(await statusOf(secret, 'GET', '/lljs')).toBe(401)
    expect((await world.call('adam', 'DELETE', `/api_keys/${id}`)).status).toBe(200)
    const lines = await admin.query(
      `select action from audit_events where subject_type = 'api_key' and subject_id = $1 order by id`,
      [String(id)],
    )
    expect(lines.rows.map(({ action }) => action)).toEqual(['api_key.created', 'api_key.revoked'])
  })

  it('when it expires', async () => {
    const { id, secret } = await makeKey('adam', { expires_in_days: 1 })
    expect(await works(secret)).toBe(true)
    await admin.query(`update api_keys set expires_on = now() - interval '1 second' where id = $1`, [id])
    expect(await statusOf(secret, 'GET', '/lljs')).toBe(401)
    expect(await told(secret)).toBe(REFUSED)
    expect((await world.call('adam', 'GET', `/api_keys/${id}`)).json.state).toBe('expired')
  })

  it('while its creator is not an active administrator, or its company or sub-tenant is inactive', async () => {
    const north = world.people.nora.user_id
    const { id, secret } = await makeKey('nora', { role: 'author' })
    const during = async (change: string, back: string) => {
      expect(await works(secret)).toBe(true)
      await admin.query(change)
      const found = [await statusOf(secret, 'GET', '/lljs')]
      if (found[0] === 401) expect(await told(secret)).toBe(REFUSED)
      const { json } = await world.call('adam', 'GET', `/api_keys/${id}`)
      await admin.query(back)
      return [...found, json.state]
    }
    const user = (set: string) => `update users set ${set} where id = ${north}`
    const role = (name: string) => `update user_general_roles set role = '${name}' where user_id = ${north}`
    const place = (to: string) =>
      `update user_general_roles set sub_tenant_id = '${to}' where user_id = ${north}`
    expect(
      await during(user(`activation_status = 'disabled'`), user(`activation_status = 'active'`)),
    ).toEqual([401, 'without_maker'])
    expect(await during(role('author'), role('admin'))).toEqual([401, 'without_maker'])
    expect(await during(place(world.south), place(world.north))).toEqual([401, 'without_maker'])
    const tenant = (status: string) => `update tenants set status = '${status}' where id = '${world.acme}'`
    expect((await during(tenant('inactive'), tenant('active')))[0]).toBe(401)
    const part = (status: string) => `update sub_tenants set status = '${status}' where id = '${world.north}'`
    expect((await during(part('inactive'), part('active')))[0]).toBe(403)
    const deleted = (on: string) => `update sub_tenants set deleted_on = ${on} where id = '${world.north}'`
    expect((await during(deleted('now()'), deleted('null')))[0]).toBe(403)
    expect(await works(secret)).toBe(true)
  })

  it('when the person who created it is deleted', async () => {
    const { json } = await world.call('adam', 'POST', '/users', person('gone@keys.example', 'admin'))
    await admin.query('update users set accepted_terms_on = now() where id = $1', [json.id])
    const { secret } = await makeKey('adam')
    await admin.query(`update api_keys set user_id = $1 where secret_hash = sha256($2::bytea)`, [
      json.id,
      Buffer.from(secret),
    ])
    expect(await works(secret)).toBe(true)
    expect((await world.call('adam', 'DELETE', `/users/${json.id}`)).status).toBe(200)
    expect(await statusOf(secret, 'GET', '/lljs')).toBe(401)
  })
})

describe('API keys', () => {
  it('are open only to administrators of their company or sub-tenant and to visiting super admins', async () => {
    const { id } = await makeKey('nora')
    const wide = await makeKey('adam')
    const statuses = async (path: string) => [
      (await world.call('adam', 'GET', path)).status,
      (await world.call('nora', 'GET', path)).status,
      (await world.call('greta', 'GET', path)).status,
      (await world.call('aya', 'GET', path)).status,
      (await world.call('sofia', 'GET', path, undefined, { as: world.acme })).status,
    ]
    expect(await statuses(`/api_keys/${id}`)).toEqual([200, 200, 404, 403, 200])
    expect(await statuses(`/api_keys/${wide.id}`)).toEqual([200, 404, 404, 403, 200])
    expect((await world.call('nora', 'DELETE', `/api_keys/${wide.id}`)).status).toBe(404)
    expect((await world.call('greta', 'DELETE', `/api_keys/${id}`)).status).toBe(404)
    expect(
      (await world.call('sofia', 'DELETE', `/api_keys/${id}`, undefined, { as: world.acme })).status,
    ).toBe(200)
  })

  it('are listed in pages, latest first, with their creator and last use', async () => {
    const { id, secret } = await makeKey('adam', { name: 'Warehouse' })
    expect((await world.call('adam', 'GET', `/api_keys/${id}`)).json.last_used_on).toBeNull()
    await by(secret, 'GET', '/users')
    const page = (await world.call('adam', 'GET', '/api_keys?per_page=1')).json
    expect(page.data[0]).toMatchObject({
      ...{ id, name: 'Warehouse', state: 'active', secret_start: secret.slice(0, 8) },
      made_by: { id: world.people.adam.user_id, name: 'Adam Test' },
    })
    expect(Date.now() - Date.parse(page.data[0].last_used_on)).toBeLessThan(60_000)
    expect([page.data.length, page.pagination.total > 1]).toEqual([1, true])
  })

  it('are named in the audit log next to what they did', async () => {
    const { id, name, secret } = await makeKey('adam', { name: 'Timetable' })
    await by(secret, 'POST', '/lljs', { name: 'By a key' })
    const { json } = await world.call('adam', 'GET', '/audit_events?action=journey.created')
    expect(json.data[0]).toMatchObject({
      actor: { id: world.people.adam.user_id },
      api_key: { id, name },
      subject: { name: 'By a key' },
    })
    const csv = await world.call('adam', 'GET', '/audit_events/export?action=journey.created')
    expect(csv.text).toContain('Timetable')
    const own = await world.call('adam', 'GET', `/audit_events?subject=api_key:${id}`)
    expect(own.json.data[0]).toMatchObject({ api_key: null, action: 'api_key.created', subject: { name } })
  })
})

it('Each API key has its own rate limit, which the response headers show', async () => {
  const api = createApi({ database: () => database.app, rates: limitKeys(3) })
  const ask = async (secret: string, path = '/lljs') => {
    const headers = { authorization: `Bearer ${secret}` }
    const answer = await api.fetch(new Request(`http://api.test/api/v1${path}`, { headers }))
    const of = (name: string) => answer.headers.get(name)
    return [answer.status, of('ratelimit-limit'), of('ratelimit-remaining'), Number(of('retry-after')) > 0]
  }
  const [one, other] = [await makeKey(), await makeKey()]
  expect(await ask(one.secret)).toEqual([200, '3', '2', false])
  expect(await ask(one.secret, '/lljs/999999')).toEqual([404, '3', '1', false])
  expect(await ask(one.secret, '/users/me')).toEqual([403, '3', '0', false])
  expect(await ask(one.secret)).toEqual([429, '3', '0', true])
  expect(await ask(other.secret)).toEqual([200, '3', '2', false])
})
