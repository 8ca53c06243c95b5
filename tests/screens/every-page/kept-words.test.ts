/** Text typed into a form whose page is gone is shown with the reason, to be copied, for every form. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openSite, type Site } from '#tests/support/site.ts'
import type { Visitor } from '#tests/support/visitor.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site?.close())

const send = async (visitor: Visitor, path: string, fields: Record<string, string>) => {
  const answer = await visitor.submit(path, fields)
  return { status: answer.status, page: (await answer.text()).replace(/<script.*?<\/script>/gs, '') }
}
const field = (label: string, value: string) =>
  new RegExp(`${label}</span><textarea[^>]*>${value}</textarea>`, 's')

it('a form about a person who does not exist is a 404 that shows what was typed', async () => {
  const adam = await site.visitor('adam@northwind.example')
  const fields = {
    first_name: 'Wilhelmina',
    last_name: 'Oxenstierna',
    email: 'w@oxen.example',
    lock_version: '7',
    sms_opt_in_before: 'unknown',
  }
  const { status, page } = await send(adam, '/users/edit/99999999', fields)
  expect(status).toBe(404)
  expect(page).toContain(
    'What this belongs to was deleted, or you no longer have access to it. Nothing was saved.',
  )
  expect(page).toMatch(field('First name', 'Wilhelmina'))
  expect(page).toMatch(field('E-mail', 'w@oxen.example'))
  // Values that the page itself had set are left out.
  for (const hidden of ['>7<', '>unknown<']) expect(page).not.toContain(hidden)
})

it('a form that its sender cannot send is a 403 that shows what was typed, except passwords', async () => {
  const uri = await site.visitor('uri@northwind.example')
  const fields = { name: 'Mine', password: 'Not-to-be-shown-1' }
  const { status, page } = await send(uri, '/settings/company', fields)
  expect(status).toBe(403)
  expect(page).toMatch(/for administrators\. Nothing was saved\./)
  expect(page).toMatch(field('Name', 'Mine'))
  expect(page).not.toContain('Not-to-be-shown-1')

  const aya = await site.visitor('aya@northwind.example')
  const copy = await send(aya, '/lljs/manage/2/duplicate', { name: 'A copy' })
  expect(copy.page).toContain('You do not have permission to do this. Nothing was saved.')
  expect(copy.page).toMatch(field('Name', 'A copy'))
})

it('a page that its visitor cannot open says why', async () => {
  const aya = await site.visitor('aya@northwind.example')
  for (const [path, why] of [
    ['/settings/company', 'Company settings are for administrators.'],
    ['/lljs/manage/import', 'You do not have permission to do this.'],
  ] as const) {
    const answer = await aya.visit(path)
    expect([answer.status, await answer.text()]).toEqual([403, expect.stringContaining(`>${why}<`)])
  }
})

it('a form about a tenant from a former super admin is a 403 that shows what was typed', async () => {
  const sofia = await site.visitor('sofia@liftwell.example')
  const admin = await site.connectAdmin()
  const setSuper = (is: boolean) =>
    admin.query('update users set is_super_admin = $1 where email = $2', [is, 'sofia@liftwell.example'])
  try {
    await setSuper(false)
    const { status, page } = await send(sofia, '/tenants/add', { name: 'Kestrel Foods' })
    expect(status).toBe(403)
    expect(page).toContain('You do not have permission to do this. Nothing was saved.')
    expect(page).toMatch(field('Name', 'Kestrel Foods'))
    expect((await sofia.visit('/tenants/add')).headers.get('location'), 'a page leads on').toBe('/users')
  } finally {
    await setSuper(true)
    await admin.end()
  }
})

it('a refused form without typed text shows none', async () => {
  const adam = await site.visitor('adam@northwind.example')
  const { status, page } = await send(adam, '/answers/99999999/score', {
    points: '3',
    comment: '',
    version: '1',
  })
  expect(status).toBe(404)
  expect(page).not.toContain('What you wrote')
})
