/** A call of the other server fails or returns nonsense: the page still answers, and typed text is kept. */
import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { isFramed, read, send, words } from '#tests/elsewhere/reading.ts'
import { type Fault, NO_SUCH_CALL } from '#tests/elsewhere/server.ts'
import { openWebTier, type WebTier } from '#tests/elsewhere/web-tier.ts'
import type { Visitor } from '#tests/support/visitor.ts'

let tier: WebTier
let ada: Visitor
let sol: Visitor
beforeAll(async () => {
  tier = await openWebTier('serve:web', 'numbers')
  ada = await tier.visitor('Ada')
  sol = await tier.visitor('Sol')
})
afterAll(() => tier?.close())
afterEach(() => {
  tier.server.faults.clear()
  expect(tier.server.broken.splice(0)).toEqual([])
})

const says = (status: number): Fault => ({
  status,
  body: JSON.stringify({ has_error: true, status, detail: `It says ${status}.` }),
})

it.each<[string, Fault]>([
  ...[401, 403, 404, 429, 500, 503].map((status): [string, Fault] => [String(status), says(status)]),
  ['a cut connection', 'cut'],
])('a page leaves out the bell when notifications cannot be loaded: %s', async (_name, fault) => {
  tier.server.faults.set('GET /notifications', fault)
  const { status, page, html } = await read(ada, '/settings/company')
  expect([status, isFramed(html)]).toEqual([200, true])
  expect(page).toContain('Branding and defaults')
  expect(html).not.toContain('aria-label="Notifications"')
})

const markOn = async (path: string, visitor = ada) => {
  const { html } = await read(visitor, path)
  return { __place__: /name="__place__" value="([^"]*)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? '' }
}

it.each([500, 502, 503, 504])('a form is kept when the server cannot say who sent it: %i', async (status) => {
  const mark = await markOn('/settings/company')
  tier.server.faults.set('GET /users/me', says(status))
  const sent = await send(ada, '/settings/company', { ...mark, name: 'Acme of the South', timezone: 'UTC' })
  expect(sent.first).toBe(503)
  expect(sent.page).toContain('It could not be sent just now')
  expect(sent.html).toContain('value="Acme of the South"')
  expect(tier.server.world.tenants[0]?.name).toBe('Acme Platform')
})

const rows = ['First', 'Second'].map((name, index) => ({ id: 61 + index, name, status: 'active' }))
const oneOfMany: Fault = {
  status: 200,
  body: JSON.stringify({ data: rows, pagination: { current_page: 1, total_pages: 30 } }),
}
const askedFor = (name: string) => tier.server.calls.splice(0).filter((one) => one === name).length

it('a tenant is listed once when every page of the server has the same rows', async () => {
  tier.server.faults.set('GET /tenants', oneOfMany)
  askedFor('')
  const { page } = await read(sol, '/tenants?q=first')
  expect(page).toContain('1 of 1')
  expect(askedFor('GET /tenants')).toBe(2)
  tier.server.faults.set('GET /tenants/data', { status: 404 })
  expect((await read(sol, '/switch')).html.match(/<span>First/g)).toHaveLength(1)
})

it('sub-tenants are searched in what the server sent, without links to further pages', async () => {
  tier.server.faults.set('GET /tenants/*/sub_tenants', oneOfMany)
  const list = await read(sol, '/tenants/1/subtenants')
  expect(list.page).toContain('1-2 of 2+')
  expect(list.page).not.toContain('Next')
  const found = await read(sol, '/tenants/1/subtenants?q=second')
  expect(found.page).toMatch(/Second(?!.*First)/)
})

it('people can log out while the server fails', async () => {
  const leaving = await tier.visitor('Ada')
  tier.server.faults.set('GET /users/me', says(500))
  expect((await read(leaving, '/logout')).page).toContain('Are you sure you want to log out?')
  const out = await leaving.submit('/logout', {})
  expect(out.status).toBe(200)
  expect(out.headers.get('refresh')).toContain(`${tier.provider.issuer}/session/end`)
  expect(leaving.cookies.has('__Host-liftwell')).toBe(false)
})

it.each([100, 300_000, 1_900_000])(
  'text typed beside a logo of %i bytes is kept while the server fails',
  async (size) => {
    const logo = new File([randomBytes(size)], 'logo.png', { type: 'image/png' })
    const fields = { name: 'Typed beside it', ...(await markOn('/tenants/add', sol)), logo }
    tier.server.faults.set('GET /users/me', says(503))
    const answer = await sol.submit('/tenants/add', fields)
    expect(answer.status).toBe(503)
    const html = await answer.text()
    expect(html).toContain('value="Typed beside it"')
    expect(html).toContain('Files and passwords are not kept')
  },
)

it('an answer larger than any list is an error', async () => {
  const body = JSON.stringify({ data: [{ id: 61, name: 'n'.repeat(9_000_000), status: 'active' }] })
  tier.server.faults.set('GET /tenants', { status: 200, body })
  const { status, page, html } = await read(sol, '/tenants')
  expect([status, html.length < 1_000_000]).toEqual([503, true])
  expect(page).toContain('There was an error, please try again later.')
})

const WITH_ZONES: [string, string][] = [
  ['Sol', '/tenants/add'],
  ['Sol', '/tenants/edit/1'],
  ['Sol', '/tenants/1/subtenants/add'],
  ['Sol', '/tenants/1/subtenants/21/edit'],
  ['Ada', '/settings/company'],
  ['Ada', '/subtenants/add'],
  ['Ada', '/subtenants/21/edit'],
]

it.each(WITH_ZONES)('the form opens without the list of time zones, for %s: %s', async (name, path) => {
  for (const fault of [says(401), says(403), says(404), says(500), 'cut'] as const) {
    tier.server.faults.set('GET /tenants/timezones', fault)
    const { status, page } = await read(name === 'Sol' ? sol : ada, path)
    expect([status, page.includes('The list of time zones could not be loaded.')]).toEqual([200, true])
  }
})

it('a stored time zone stays selected when the list of the server lacks it', async () => {
  for (const fault of [says(500), { status: 200, body: '["UTC"]' }]) {
    tier.server.faults.set('GET /tenants/timezones', fault)
    const { html } = await read(ada, '/settings/company')
    expect(html).toContain('<option value="Europe/Madrid" selected="">')
  }
})

it.each([400, 401, 402, 409, 500, 502, 503])(
  'the list says that a tenant or sub-tenant was not deleted: %i',
  async (status) => {
    tier.server.faults.set('DELETE /tenants/*', says(status))
    tier.server.faults.set('DELETE /tenants/*/sub_tenants/*', says(status))
    const title = status < 500 ? 'Not deleted' : 'Error'
    for (const [path, list] of [
      ['/tenants/edit/2', '/tenants'],
      ['/tenants/1/subtenants/21/edit', '/tenants/1/subtenants'],
    ] as const) {
      const { first, end, html } = await send(sol, path, { intent: 'delete' })
      expect([first, end]).toEqual([302, list])
      expect(words(html)).toMatch(new RegExp(`${title}\\s+It says ${status}\\.`))
    }
  },
)

it('all pages of notifications are marked as read', async () => {
  const many = Array.from({ length: 230 }, (_, number) => ({
    id: 1000 + number,
    content: { title: `News ${number}`, message: 'More.' },
    has_read: number === 99,
    created_on: '2026-11-20T09:30:00',
  }))
  const known = tier.server.world.notifications
  tier.server.world.notifications = many
  const list = await read(ada, '/notifications')
  expect(list.page).toContain('10+ not read yet.')
  await send(ada, '/notifications', { intent: 'read_all', newest: '2026-11-20T09:30:00.000Z' })
  tier.server.world.notifications = known
  expect(many.filter(({ has_read }) => !has_read)).toEqual([])
})

const NOBODY: [string, Fault][] = [
  ['204', { status: 204 }],
  ['null', { status: 200, body: 'null' }],
  ['{}', { status: 200, body: '{}' }],
  ['[]', { status: 200, body: '[]' }],
  ['a text', { status: 200, body: '"Ada"' }],
]

it.each(NOBODY)('a person stays signed in when the server names nobody: %s', async (_name, fault) => {
  const mark = await markOn('/settings/company')
  tier.server.faults.set('GET /users/me', fault)
  const { status, html } = await read(ada, '/settings/company')
  expect(status).toBe(502)
  expect(html).toContain('There was an error, please try again later.')
  const sent = await send(ada, '/settings/company', { ...mark, name: 'Acme of the South', timezone: 'UTC' })
  expect(sent.html).toContain('value="Acme of the South"')
  tier.server.faults.clear()
  expect((await read(ada, '/settings/company')).status).toBe(200)
})

it.each<[string, string, string]>([
  ['a very long name', '2', 'n'.repeat(9000)],
  ['an id that no header can carry as it is', 'ключ', 'Borealis'],
])('a super admin enters a tenant with %s', async (_what, id, name) => {
  const borealis = tier.server.world.tenants[1]
  const known = { ...borealis }
  Object.assign(borealis ?? {}, { name, id: id === '2' ? 2 : id })
  const visitor = await tier.visitor('Sol')
  const place = id === '2' ? id : `~~${Buffer.from(id).toString('base64url')}`
  const inside = await send(visitor, '/switch', { place })
  expect([inside.first, inside.end, inside.status]).toEqual([302, '/', 200])
  expect(inside.page).toContain('working inside')
  expect((await read(visitor, '/settings/company')).html).toContain(`value="${name}"`)
  Object.assign(borealis ?? {}, known)
})

it('“View More” works when the server gives few notifications at a time', async () => {
  tier.server.world.most = 5
  const shown = async (page: number) => {
    const list = await read(ada, `/notifications?page=${page}`)
    return [list.html.match(/name="id"/g)?.length, list.page.includes('View More')]
  }
  // The bell lists ten more.
  expect(await shown(1)).toEqual([20, true])
  expect(await shown(2)).toEqual([22, false])
  delete tier.server.world.most
})

it.each(['null', '[]', '{}', '{"data":[]}', '"text"'])(
  'a tenant or sub-tenant is an error, not a 404, when the server answers %s',
  async (body) => {
    tier.server.faults.set('GET /tenants/*', { status: 200, body })
    tier.server.faults.set('GET /tenants/*/sub_tenants/*', { status: 200, body })
    for (const [visitor, path] of [
      [sol, '/tenants/edit/1'],
      [sol, '/tenants/1/subtenants/21/edit'],
      [ada, '/settings/company'],
    ] as const) {
      const { status, page } = await read(visitor, path)
      expect([status, page]).toEqual([502, expect.stringContaining('please try again later')])
    }
  },
)

it('a tenant is linked by its id when that is longer than a safe integer', async () => {
  const body = '{"data":[{"id":9007199254740993,"name":"Far","status":"active"}]}'
  tier.server.faults.set('GET /tenants', { status: 200, body })
  expect((await read(sol, '/tenants')).html).toContain('"/tenants/edit/9007199254740993"')
})

it.each<[string, Exclude<Fault, 'slow'>]>([
  ['a 404 of its own', NO_SUCH_CALL],
  ['405', { status: 405 }],
  ['501', { status: 501, body: 'Not implemented', type: 'text/plain' }],
  ['the 403 of a gateway', { status: 403, body: '{"message":"Missing Authentication Token"}' }],
  ['the 400 of a gateway', { status: 400, body: '<html>Bad request</html>', type: 'text/html' }],
  ['a page', { status: 200, body: '<!doctype html><p>Welcome', type: 'text/html' }],
])('“Not available here” is shown when the server answers with %s', async (_name, unknown) => {
  tier.server.unknown = unknown
  for (const path of ['/', '/users', '/lljs/manage', '/analytics'])
    expect([path, (await read(ada, path)).page]).toEqual([
      path,
      expect.stringContaining('Not available here'),
    ])
  expect((await read(ada, '/users/edit/33')).page).toContain('Send invitation')
  tier.server.unknown = NO_SUCH_CALL
})

it('a refused invitation and a refused “Mark all as read” say what was refused', async () => {
  const detail = { user_ids: ['They have one.', 'Wait a day.'] }
  tier.server.faults.set('POST /auth/resend-welcome-email', { status: 422, body: JSON.stringify({ detail }) })
  const again = await send(sol, '/tenants/edit/1', { intent: 'resend', user_ids: '31' })
  expect(words(again.html)).toContain('They have one. Wait a day.')
  tier.server.world.notifications.push({ id: 99, has_read: false })
  tier.server.faults.set('PATCH /notifications', says(403))
  const read = await send(ada, '/notifications', { intent: 'read_all' })
  expect(words(read.html)).toContain('The notifications could not be marked as read.')
  tier.server.world.notifications.pop()
})
