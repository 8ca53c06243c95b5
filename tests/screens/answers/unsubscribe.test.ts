/** The page behind the link of an e-mail, without signing in and without JavaScript. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { setSecret } from '#app/auth/seal.server.ts'
import { sealStopLink } from '#app/auth/stop-links.server.ts'
import { APP_SECRET } from '#tests/support/demo-template.ts'
import { withAdmin } from '#tests/support/postgres.ts'
import { openSite, type Site } from '#tests/support/site.ts'

let site: Site
let path: string
beforeAll(async () => {
  site = await openSite()
  const { rows } = await withAdmin(site.adminUrl, (client) =>
    client.query(`select m.tenant_id, m.user_id::int, m.journey_id::int
    from members m join users u on u.tenant_id = m.tenant_id and u.id = m.user_id
    where u.email = 'uri@northwind.example' and m.role = 'learner' order by m.id limit 1`),
  )
  setSecret(APP_SECRET)
  path = `/unsubscribe/${sealStopLink(rows[0])}`
})
afterAll(() => site?.close())

it.each(['.', ')', '>', '.”', '%22'])(
  'an unsubscribe link with %s at its end redirects to the correct one',
  async (tail) => {
    const stranger = await site.visitor()
    const opened = await stranger.visit(`${path}${tail}`)
    expect([opened.status, opened.headers.get('location')]).toEqual([302, path])
  },
)

it('the link asks first, stops e-mails on a press, and the person can turn them on again', async () => {
  const stranger = await site.visitor()
  for (let i = 0; i < 2; i += 1) {
    const opened = await stranger.visit(path)
    expect([opened.status, (await opened.text()).includes('Stop e-mails?')]).toEqual([200, true])
  }
  const one = await stranger.submit(path, { 'List-Unsubscribe': 'One-Click' })
  expect([one.status, one.headers.get('location')]).toEqual([200, null])
  const stopped = await (await stranger.visit(path)).text()
  expect(stopped).toContain('E-mails are stopped')
  expect(stopped).toContain('You won’t get e-mails about')
  expect(await (await stranger.submit(path, { intent: 'all' })).text()).toContain('about journeys from')
  const uri = await site.visitor('uri@northwind.example')
  const own = await (await uri.visit('/settings/privacy')).text()
  expect(/<input[^>]*name="mails"[^>]*>/.exec(own)?.[0]).not.toContain('checked')
  await uri.submit('/settings/privacy/mails', { intent: 'mails', mails: 'on' })
  expect(await (await stranger.visit(path)).text()).toContain('Stop e-mails?')
})

it('e-mails stay stopped when a page that was opened before is saved unchanged', async () => {
  const uri = await site.visitor('uri@northwind.example')
  const before = await (await uri.visit('/settings/privacy')).text()
  expect(before).toContain('name="before" value="yes"')
  const stranger = await site.visitor()
  await stranger.submit(path, { 'List-Unsubscribe': 'One-Click' })
  const unchanged = { intent: 'mails', before: 'yes', mails: 'on' }
  await uri.submit('/settings/privacy/mails', unchanged)
  expect(await (await stranger.visit(path)).text()).toContain('E-mails are stopped')
  // The journey belongs to the whole company, and Uri to one of its sub-tenants.
  const own = await (await uri.visit('/settings/privacy')).text()
  const [, again = ''] = /name="(journey-\d+)"/.exec(own) ?? []
  await uri.submit('/settings/privacy/mails', { ...unchanged, [again]: 'on' })
  expect(await (await stranger.visit(path)).text()).toContain('Stop e-mails?')
  await stranger.submit(path, { intent: 'all' })
  await uri.submit('/settings/privacy/mails', unchanged)
  const after = await (await uri.visit('/settings/privacy')).text()
  expect(/<input[^>]*name="mails"[^>]*>/.exec(after)?.[0]).not.toContain('checked')
  await uri.submit('/settings/privacy/mails', { intent: 'mails', before: 'no', mails: 'on' })
})

it('a cut or made-up link says how else to stop e-mails', async () => {
  const stranger = await site.visitor()
  for (const part of [path.slice(0, -1), path.slice(0, -10), '/unsubscribe/', '/unsubscribe/v1.made-up']) {
    const opened = await stranger.visit(part)
    const page = await opened.text()
    expect(page).toContain('<title>This link doesn’t work · Liftwell</title>')
    expect([part, opened.status, page.includes('You can also sign in and stop e-mails')]).toEqual([
      ...[part, 404, true],
    ])
    expect(page).toContain('href="/settings/privacy"')
  }
  expect((await stranger.submit('/unsubscribe/v1.made-up', { intent: 'all' })).status).toBe(404)
})
