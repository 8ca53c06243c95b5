/** An answer that could not be saved for a moment, or was sent after its session, is kept: without JavaScript. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { html, plain, valueIn } from '#tests/screens/journeys/authoring-world.ts'
import { type FailingApi, startFailingApi } from '#tests/support/failing-api.ts'
import { openSite, type Site } from '#tests/support/site.ts'
import type { Visitor } from '#tests/support/visitor.ts'

const TYPED = 'Half an hour of thought & a comma'

let site: Site
let api: FailingApi
let uri: Visitor
let token = ''
let path = ''
let field = ''
let value = ''
let mark = ''

beforeAll(async () => {
  api = await startFailingApi()
  site = await openSite({ apiBaseUrl: api.origin })
  api.target = site.origin
  uri = await site.visitor('uri@northwind.example')
  path = /href="(\/lift\/\d+)"/.exec(await html(uri, '/todo'))?.[1] ?? ''
  const page = await html(uri, path)
  const radio = /<input type="radio"[^>]*name="(answer:[^"]*)"[^>]*value="([^"]*)"/.exec(page)
  ;[, field = '', value = ''] = radio ?? []
  mark = valueIn(page, '__place__')
  token = [...api.calls.keys()].at(-1) ?? ''
})
afterAll(async () => {
  await site?.close()
  await api?.close()
})

/** Answers, including text for a second question, while these calls fail. */
async function answer(failing: (call: string) => boolean) {
  api.faults.set(token, (call) => (failing(call) ? { status: 503, afterMs: 0 } : undefined))
  const sent = await uri.submit(path, { __place__: mark, [field]: value, 'answer:999999:long_text': TYPED })
  api.faults.delete(token)
  return { status: sent.status, after: sent.headers.get('retry-after'), page: plain(await sent.text()) }
}

const kept = (page: string, name: string) =>
  new RegExp(`<input type="hidden" name="${name}" value="([^"]*)"`).exec(page)?.[1]

describe('An answer', () => {
  it('stays in its fields when it cannot be saved at the moment', async () => {
    expect([field, value]).not.toContain('')
    const { status, page } = await answer((call) => call.startsWith('POST '))
    expect(status).toBe(503)
    expect(page).toContain('What you typed is still here.')
    expect(page).toMatch(new RegExp(`name="${field}"[^>]*checked=""[^>]*value="${value}"`))
  })

  it('is kept on the error page, and sent from there, when its page cannot be loaded either', async () => {
    const { status, after, page } = await answer(() => true)
    expect([status, after]).toEqual([503, '2'])
    expect(page).toContain('It could not be sent just now')
    expect(page).toContain(`action="${path}"`)
    expect(kept(page, field)).toBe(value)
    expect(kept(page, 'answer:999999:long_text')).toBe(TYPED.replace('&', '&amp;'))
    expect(page).not.toContain('(new tab)')
  })

  it('sent after the session has ended is kept until the learner has signed in again', async () => {
    const own = new Map(uri.cookies)
    uri.cookies.clear()
    const { status, page } = await answer(() => false)
    expect(status).toBe(401)
    expect(page).toContain('You are logged out')
    expect(kept(page, field)).toBe(value)
    expect(kept(page, 'answer:999999:long_text')).toBe(TYPED.replace('&', '&amp;'))
    for (const [name, one] of own) uri.cookies.set(name, one)
    const sent = await uri.submit(path, { [field]: kept(page, field) ?? '' })
    expect(sent.status).toBe(302)
    expect(await html(uri, path)).toContain('Your answer:')
  })
})
