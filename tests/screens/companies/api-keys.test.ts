/** Administrators create and revoke a company's API keys: without JavaScript. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openSite, type Site } from '#tests/support/site.ts'
import type { Visitor } from '#tests/support/visitor.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site?.close())

const KEYS = '/settings/company/keys'
const html = async (visitor: Visitor, path: string) => (await visitor.visit(path)).text()
const secretOn = (page: string) => /value="(lw_[0-9a-f]{64})"/.exec(page)?.[1] ?? ''
const described = { name: 'Time tables', role: 'admin', expires_in_days: '30' }

/** A call by the program that has the key. */
const ask = (secret: string) =>
  fetch(`${site.origin}/api/v1/users`, { headers: { authorization: `Bearer ${secret}` } })

it('A key is created, shown once, used, and revoked', async () => {
  const grace = await site.visitor('grace@harbor.example')
  expect(await html(grace, '/settings/company')).toContain(`href="${KEYS}"`)
  expect(await html(grace, KEYS)).toContain('No API keys')

  const wrong = await grace.submit(`${KEYS}/new`, { ...described, name: '', expires_in_days: '400' })
  const refused = await wrong.text()
  expect(wrong.status).toBe(400)
  expect(refused).toContain('The key was not created')
  expect(refused).toContain('Please give at most 365 days')

  const made = await grace.submit(`${KEYS}/new`, described)
  const secret = secretOn(await made.text())
  expect([made.status, made.headers.get('cache-control')]).toEqual([201, expect.stringContaining('no-store')])
  expect((await ask(secret)).status).toBe(200)

  const list = await html(grace, KEYS)
  expect(list).toContain('Time tables')
  expect(list).toContain('Active')
  expect(list).not.toContain(secret)

  const question = `${KEYS}/${/keys\/(\d+)\/revoke/.exec(list)?.[1]}/revoke`
  expect(await html(grace, question)).toContain('It has been used: a program may still need it.')
  const revoked = await grace.submit(question, {})
  expect([revoked.status, revoked.headers.get('location')]).toEqual([302, KEYS])
  expect(await html(grace, KEYS)).toContain('Revoked')
  expect((await ask(secret)).status).toBe(401)
})

it('A form that is sent twice creates one key, and the last key shown is the one that works', async () => {
  const grace = await site.visitor('grace@harbor.example')
  const form = /name="__key__" value="([^"]+)"/.exec(await html(grace, `${KEYS}/new`))?.[1] ?? ''
  const fields = { ...described, name: 'Sent twice', __key__: form }
  const first = secretOn(await (await grace.submit(`${KEYS}/new`, fields)).text())
  const last = secretOn(await (await grace.submit(`${KEYS}/new`, fields)).text())
  expect((await html(grace, KEYS)).match(/Revoke <span[^>]*>Sent twice/g)).toHaveLength(1)
  expect([(await ask(first)).status, (await ask(last)).status]).toEqual([401, 200])
})

it('Learners and authors cannot see or create keys', async () => {
  for (const email of ['uri@northwind.example', 'aya@northwind.example']) {
    const visitor = await site.visitor(email)
    expect([(await visitor.visit(KEYS)).status, (await visitor.visit(`${KEYS}/new`)).status]).toEqual([
      403, 403,
    ])
  }
})
