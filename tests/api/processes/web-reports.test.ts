import { afterAll, beforeAll, expect, it } from 'vitest'
import { openFront } from './web-front.ts'

let front: Awaited<ReturnType<typeof openFront>>
beforeAll(async () => {
  front = await openFront()
})
afterAll(() => front?.close())

const failure = { kind: 'console', message: 'lena@example.com is no function', path: '/users?q=lena' }
const post = (body: string, headers: Record<string, string> = {}) =>
  front.visit('/reports', {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', origin: front.origin, ...headers },
  })
const told = (event: string) => front.lines().filter((line) => line.event === event)

it('logs and counts a failure in a browser, without personal data', async () => {
  expect((await post(JSON.stringify(failure))).status).toBe(204)
  expect(told('browser.failed')).toMatchObject([{ kind: 'console', path: '/users' }])
  expect(front.printed()).not.toContain('lena')
  expect(await (await front.visit('/metrics')).text()).toContain('browser_failures_total{kind="console"} 1')
})

it('hides secret links and API keys in the log, even within messages', async () => {
  const key = `lw_${'0123456789abcdef'.repeat(4)}`
  for (const path of ['/unsubscribe/canary-1', '/invitation/default/4711.canary-2'])
    await post(
      JSON.stringify({
        ...failure,
        path,
        message: `Not fetched: ${front.origin}${path}?k=canary-3 by ${key}`,
      }),
    )
  expect(told('browser.failed').slice(-2)).toMatchObject([
    { path: '/unsubscribe/[hidden]' },
    { path: '/invitation/default/[hidden]' },
  ])
  expect(front.printed()).not.toMatch(/canary|lw_0/)
})

it('logs the violations of the content security policy that browsers report', async () => {
  const page = await front.visit('/')
  expect(page.headers.get('reporting-endpoints')).toBe('site="/reports"')
  expect(page.headers.get('content-security-policy')).toContain('report-to site')
  const body = { effectiveDirective: 'script-src-elem', blockedURL: 'https://evil.example/x.js?who=lena' }
  const type = { 'content-type': 'application/reports+json' }
  expect((await post(JSON.stringify([{ type: 'csp-violation', body }]), type)).status).toBe(204)
  expect(told('browser.policy')).toMatchObject([{ blockedURL: 'https://evil.example/x.js' }])
})

it.each([
  ['an empty body', ''],
  ['invalid JSON', '{"kind":'],
  ['an unknown kind of report', '{"kind":"other","message":"x"}'],
  ['a long message', JSON.stringify({ ...failure, message: 'x'.repeat(2001) })],
])('refuses %s', async (_what, body) => {
  expect((await post(body)).status).toBe(400)
})

it('refuses a report that is too large or from another site', async () => {
  expect((await post(JSON.stringify({ ...failure, stack: 'x'.repeat(20_000) }))).status).toBe(413)
  expect((await post(JSON.stringify(failure), { origin: 'https://evil.example' })).status).toBe(403)
  expect(told('request.failed')).toEqual([])
})
