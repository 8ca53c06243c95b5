/** With API_BASE_URL the screens call an API over HTTP: the same pages, with a bearer token that is checked. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { shown } from '#tests/support/shown.ts'
import { openSite, type Site } from '#tests/support/site.ts'

let site: Site
beforeAll(async () => {
  site = await openSite({ withOwnApiOverHttp: true })
})
afterAll(() => site.close())

it('screens show lists and save forms through the API over HTTP', async () => {
  const sofia = await site.visitor('sofia@liftwell.example')
  const list = await sofia.visit('/tenants')
  expect(list.status).toBe(200)
  expect(await list.text()).toContain('Northwind Logistics')

  const fields = { name: 'Over HTTP', customer_type: 'Single Tenant', status: 'active', timezone: 'UTC' }
  expect((await sofia.submit('/tenants/add', fields)).status).toBe(302)
  const again = await sofia.submit('/tenants/add', fields)
  expect(again.status).toBe(409)
  expect(await again.text()).toContain('already')
  expect(await (await sofia.visit('/tenants?q=over')).text()).toContain('Over HTTP')
})

it('an impersonation shows the people of its tenant only', async () => {
  const sofia = await site.visitor('sofia@liftwell.example')
  const html = await (await sofia.visit('/tenants?q=harbor')).text()
  const tenant = /\/tenants\/edit\/([0-9a-f-]{36})/.exec(html)?.[1] ?? ''
  await sofia.submit('/tenants', { intent: 'impersonate', tenant_id: tenant, reason: 'Help' })
  const users = await (await sofia.visit('/users')).text()
  expect(shown(users)).toContain('grace@harbor.example')
  expect(users).not.toContain('northwind.example')
})
