/** Each write to the other server is sent twice: by a second press, by Back, and after an aborted first request. */
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { read, send } from '#tests/elsewhere/reading.ts'
import { openWebTier, type WebTier } from '#tests/elsewhere/web-tier.ts'
import type { Visitor } from '#tests/support/visitor.ts'

let tier: WebTier
let sol: Visitor
beforeAll(async () => {
  tier = await openWebTier('serve:web', 'numbers')
  sol = await tier.visitor('Sol')
})
afterAll(() => tier?.close())
afterEach(() => {
  tier.server.faults.clear()
  expect(tier.server.broken.splice(0)).toEqual([])
})

/** The hidden fields that every form of a page has. */
async function marksOn(visitor: Visitor, path: string) {
  const { html } = await read(visitor, path)
  const carried = (name: string) =>
    new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1]?.replaceAll('&amp;', '&') ?? ''
  return { __place__: carried('__place__'), __key__: carried('__key__') }
}

const TENANT = { customer_type: 'Single Tenant', status: 'active', timezone: 'UTC' }
const asked = (name: string) => tier.server.calls.splice(0).filter((one) => one === name).length

it.each<[string, Record<string, string>, string]>([
  ['/tenants/add', { ...TENANT, name: 'Pressed twice' }, 'POST /tenants'],
  ['/tenants/1/subtenants/add', { name: 'Pressed twice', status: 'active' }, 'POST /tenants/*/sub_tenants'],
  ['/tenants/edit/1', { intent: 'resend', user_ids: '31' }, 'POST /auth/resend-welcome-email'],
  ['/lljs/1/lifts/7/test', { phones: '+34600000001' }, 'POST /lifts/*/send_test'],
])('a form that is sent three times is carried out once: %s', async (path, typed, call) => {
  tier.server.faults.set(call, 'slow')
  const visitor = path.startsWith('/lljs') ? await tier.visitor('Ada') : sol
  const fields = { ...typed, ...(await marksOn(visitor, path)) }
  asked('')
  const both = await Promise.all([send(visitor, path, fields), send(visitor, path, fields)])
  const back = await send(visitor, path, fields)
  expect([...both, back].map(({ status }) => status)).toEqual([200, 200, 200])
  expect(asked(call)).toBe(1)
})

it('a form is carried out once when the browser aborted its first request', async () => {
  tier.server.faults.set('POST /tenants', 'slow')
  const fields = { ...TENANT, name: 'Left', ...(await marksOn(sol, '/tenants/add')) }
  asked('')
  const leaving = new AbortController()
  const body = new URLSearchParams(fields)
  const left = sol.visit('/tenants/add', { method: 'POST', body, signal: leaving.signal }).catch(() => null)
  await expect.poll(() => tier.server.calls.includes('POST /tenants')).toBe(true)
  leaving.abort()
  await left
  const again = await send(sol, '/tenants/add', fields)
  expect([again.first, again.end]).toEqual([302, '/tenants'])
  expect(asked('POST /tenants')).toBe(1)
  expect(tier.server.world.tenants.filter(({ name }) => name === 'Left')).toHaveLength(1)
})

it('a form is carried out when its first request was refused, or its text is different', async () => {
  const marks = await marksOn(sol, '/tenants/add')
  tier.server.faults.set('POST /tenants', { status: 500 })
  const fields = { ...TENANT, ...marks, name: 'Once more' }
  const both = await Promise.all([send(sol, '/tenants/add', fields), send(sol, '/tenants/add', fields)])
  expect(both.map(({ html }) => html.includes('value="Once more"'))).toEqual([true, true])
  tier.server.faults.clear()
  expect((await send(sol, '/tenants/add', fields)).first).toBe(302)
  expect((await send(sol, '/tenants/add', { ...fields, name: 'Something else' })).first).toBe(302)
})

it.each([
  ['/tenants/edit/100', '/tenants'],
  ['/tenants/1/subtenants/23/edit', '/tenants/1/subtenants'],
])('a second deletion says that it was already deleted: %s', async (path, list) => {
  const fields = { intent: 'delete', ...(await marksOn(sol, path)) }
  const one = await send(sol, path, fields)
  const two = await send(sol, path, fields)
  expect([one.end, two.end]).toEqual([list, list])
  expect([one.html, two.html].map((html) => /(Tenant|Sub-tenant|Already) deleted/.exec(html)?.[1])).toEqual([
    path.includes('sub') ? 'Sub-tenant' : 'Tenant',
    'Already',
  ])
})

it('a switch that is sent three times leads to the tenant each time', async () => {
  const visitor = await tier.visitor('Sol')
  const fields = { place: '2', ...(await marksOn(visitor, '/switch')) }
  const both = await Promise.all([send(visitor, '/switch', fields), send(visitor, '/switch', fields)])
  const back = await send(visitor, '/switch', fields)
  expect([...both, back].map(({ end, status }) => [end, status])).toEqual(Array(3).fill(['/', 200]))
})

it('a form is carried out once when its second press reaches another process', async () => {
  const crew = await openWebTier('start', 'numbers', { WEB_CONCURRENCY: '2', LOG_LEVEL: 'info' })
  const pids = () => [...crew.running.output().matchAll(/"ready_pid":(\d+)/g)].map(([, pid]) => Number(pid))
  const untilReady = (count: number) => expect.poll(() => pids().length, { timeout: 100_000 }).toBe(count)
  try {
    await untilReady(2)
    const visitor = await crew.visitor('Sol')
    const fields = { ...TENANT, name: 'By two', ...(await marksOn(visitor, '/tenants/add')) }
    crew.server.calls.splice(0)
    const first = await send(visitor, '/tenants/add', fields)
    const before = pids()
    crew.running.child.kill('SIGHUP')
    await untilReady(4)
    await expect.poll(() => before.some(isAlive), { timeout: 60_000 }).toBe(false)
    const second = await send(visitor, '/tenants/add', fields)
    expect([first.first, second.first]).toEqual([302, 302])
    expect(crew.server.calls.filter((one) => one === 'POST /tenants')).toHaveLength(1)
  } finally {
    await crew.close()
  }
}, 300_000)

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
