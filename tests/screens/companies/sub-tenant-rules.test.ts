/** A sub-tenant sets its own rules, or returns to its company's: without JavaScript. */
import type pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { offersOf } from '#tests/screens/every-page/page-controls.ts'
import { openSite, type Site } from '#tests/support/site.ts'
import type { Visitor } from '#tests/support/visitor.ts'

const HERE = '/settings/company'
const SAME = 'The same as the company'

let site: Site
let admin: pg.Client
let eva: Visitor
let europe: string
beforeAll(async () => {
  site = await openSite()
  admin = await site.connectAdmin()
  europe = await idOf('Northwind Europe')
  eva = await site.visitor('eva@northwind.example')
  await eva.submit('/subtenants', { sub_tenant_id: europe })
})
afterAll(() => site?.close())
afterEach(async () => {
  await admin.query(`update sub_tenants set settings = '{}'`)
  await admin.query(`update tenants set settings = '{}' where name = 'Northwind Logistics'`)
})

const isAt = (response: Response) => [response.status, response.headers.get('location')]
const html = async (visitor: Visitor, path = HERE) => (await visitor.visit(path)).text()
const plain = (page: string) => page.replaceAll('<!-- -->', '').replaceAll('&#x27;', '’')
const idOf = async (name: string): Promise<string> =>
  (await admin.query('select id from sub_tenants where name = $1', [name])).rows[0].id
const settingsOf = async (id: string) =>
  (await admin.query('select settings from sub_tenants where id = $1', [id])).rows[0].settings
const company = (settings: object) =>
  admin.query(`update tenants set settings = $1 where name = 'Northwind Logistics'`, [
    JSON.stringify(settings),
  ])

/** Submits the form on the page, with some fields changed. */
async function save(visitor: Visitor, change: Record<string, string>, path = HERE) {
  const form = offersOf(await html(visitor, path), path).find(
    (offer) => offer.kind === 'form' && offer.fields.some(([name]) => name === 'lock_version'),
  )
  const fields = form?.kind === 'form' ? Object.fromEntries(form.fields) : {}
  return visitor.submit(path, { ...fields, ...change })
}
const chosen = (page: string, name: string) =>
  [...page.matchAll(/<input[^>]*type="radio"[^>]*>/g)]
    .map(([input]) => input)
    .filter((input) => input.includes(`name="${name}"`) && input.includes('checked'))
    .map((input) => /value="([^"]*)"/.exec(input)?.[1])
const shown = (page: string) =>
  ['quiet_hours.of', 'authors_may_create_drafts', 'admins_need_second_factor'].map(
    (name) => chosen(page, name)[0],
  )

describe('The company settings of a sub-tenant', () => {
  it('start as those of the company, and show the company’s values', async () => {
    const page = plain(await html(eva))
    expect(shown(page)).toEqual(['company', 'company', 'company'])
    for (const value of ['8:00 PM to 9:00 AM', 'no', 'not required'])
      expect(page).toContain(`${SAME} (${value})`)
    await company({
      authors_may_create_drafts: true,
      admins_need_second_factor: false,
      quiet_hours: { from: '19:00', to: '10:00' },
    })
    const later = plain(await html(eva))
    for (const value of ['7:00 PM to 10:00 AM', 'yes']) expect(later).toContain(`${SAME} (${value})`)
  })

  it('save the sub-tenant’s own rules, and return to those of the company', async () => {
    const own = { 'quiet_hours.of': 'own', 'quiet_hours.from': '18:00', 'quiet_hours.to': '10:30' }
    const saved = await save(eva, { ...own, authors_may_create_drafts: 'yes' })
    expect(isAt(saved)).toEqual([302, HERE])
    expect(await settingsOf(europe)).toEqual({
      quiet_hours: { from: '18:00', to: '10:30' },
      authors_may_create_drafts: true,
    })
    const page = await html(eva)
    expect(shown(page)).toEqual(['own', 'yes', 'company'])
    expect(page).toMatch(
      /name="quiet_hours.from"[^>]*value="18:00"|value="18:00"[^>]*name="quiet_hours.from"/,
    )
    // Saving without a change keeps the rules; hidden times are ignored.
    await save(eva, {})
    expect(Object.keys(await settingsOf(europe)).sort()).toEqual(['authors_may_create_drafts', 'quiet_hours'])
    await save(eva, {
      'quiet_hours.of': 'company',
      'quiet_hours.from': '23:00',
      authors_may_create_drafts: 'company',
    })
    expect(await settingsOf(europe)).toEqual({})
    expect(shown(await html(eva))).toEqual(['company', 'company', 'company'])
  })

  it.each([
    [{ 'quiet_hours.from': '22:00' }, 400, 'Please choose a time from 12:00 PM to 9:00 PM'],
    [{ 'quiet_hours.from': '' }, 400, 'Please enter a time'],
    [{ 'quiet_hours.from': '9 PM' }, 400, 'Please enter the time as HH:MM, on a 24-hour clock'],
    [{ 'quiet_hours.from': '12:00', 'quiet_hours.to': '12:00' }, 400, 'Please leave some time'],
    [
      { 'quiet_hours.from': '20:30' },
      422,
      'The company’s quiet hours start at 8:00 PM: please choose that or earlier',
    ],
    [
      { 'quiet_hours.to': '08:30' },
      422,
      'The company’s quiet hours end at 9:00 AM: please choose that or later',
    ],
  ])('refuse %j at its field, and keep what was typed', async (wrong, status, words) => {
    const typed = {
      'quiet_hours.of': 'own',
      name: 'Europe, renamed',
      authors_may_create_drafts: 'no',
      ...wrong,
    }
    const refused = await save(eva, typed)
    const page = plain(await refused.text())
    const [name = ''] = Object.keys(wrong).slice(-1)
    expect(refused.status).toBe(status)
    const error = new RegExp(`id="[^"]*${name}-error"[^>]*>(.*?)</div>`, 's').exec(page)?.[1]
    expect(error).toContain(words)
    expect(page).toContain('value="Europe, renamed"')
    expect(shown(page)).toEqual(['own', 'no', 'company'])
    expect(await settingsOf(europe)).toEqual({})
  })

  it('show both versions of an outdated edit in words', async () => {
    const form = offersOf(await html(eva), HERE).find((offer) => offer.kind === 'form' && offer.to === HERE)
    const fields = form?.kind === 'form' ? Object.fromEntries(form.fields) : {}
    await save(eva, { 'quiet_hours.of': 'own', 'quiet_hours.from': '18:00', 'quiet_hours.to': '10:00' })
    const late = await eva.submit(HERE, { ...fields, authors_may_create_drafts: 'no' })
    const page = plain(await late.text())
    expect(late.status).toBe(409)
    expect(page).toContain(`<th scope="row">Quiet hours</th><td>6:00 PM to 10:00 AM</td><td>${SAME}</td>`)
    expect(page).toContain(`<th scope="row">Authors can create drafts</th><td>${SAME}</td><td>No</td>`)
  })

  it('say which quiet hours are in force when the company’s became longer', async () => {
    await save(eva, { 'quiet_hours.of': 'own', 'quiet_hours.from': '19:00', 'quiet_hours.to': '11:00' })
    expect(await html(eva)).not.toContain('In force now')
    await company({ quiet_hours: { from: '17:00', to: '09:00' } })
    expect(plain(await html(eva))).toContain('In force now: 5:00 PM to 11:00 AM')
  })

  it('are also set by an administrator of the company, even for a new sub-tenant, and logged', async () => {
    const adam = await site.visitor('adam@northwind.example')
    const path = `/subtenants/${europe}/edit`
    expect(shown(await html(adam, path))).toEqual(['company', 'company', 'company'])
    const own = { 'quiet_hours.of': 'own', 'quiet_hours.from': '18:00', 'quiet_hours.to': '10:00' }
    expect(isAt(await save(adam, own, path))).toEqual([302, '/subtenants'])
    expect(await settingsOf(europe)).toEqual({ quiet_hours: { from: '18:00', to: '10:00' } })
    expect(shown(await html(adam, path))).toEqual(['own', 'company', 'company'])
    expect(await html(adam, '/settings/audit?action=sub_tenant.updated')).toContain('10:00')
    const added = { name: 'Northwind Africa', status: 'active', authors_may_create_drafts: 'yes', ...own }
    expect(isAt(await save(adam, added, '/subtenants/add'))).toEqual([302, '/subtenants'])
    expect(await settingsOf(await idOf('Northwind Africa'))).toEqual({
      authors_may_create_drafts: true,
      quiet_hours: { from: '18:00', to: '10:00' },
    })
  })
})

describe('Authors of a sub-tenant', () => {
  const CREATE = '/lljs/manage/new'

  it('are offered drafts, and can create them, only where their sub-tenant allows it', async () => {
    await admin.query(
      `update user_general_roles r set sub_tenant_id = $1 from users u
       where u.tenant_id = r.tenant_id and u.id = r.user_id and u.email = 'aya@northwind.example'`,
      [europe],
    )
    const aya = await site.visitor('aya@northwind.example')
    const begin = (name: string) => aya.submit(CREATE, { name, category: 'Safety' })
    const isOffered = async () =>
      Promise.all(['/', '/lljs/manage'].map(async (path) => (await html(aya, path)).includes('create=true')))

    expect(await isOffered()).toEqual([false, false])
    await save(eva, { authors_may_create_drafts: 'yes' })
    expect(await isOffered()).toEqual([true, true])
    expect((await begin('Begun in Europe')).headers.get('location')).toMatch(/^\/lljs\/\d+\/schedule$/)
    await company({ authors_may_create_drafts: true })
    await save(eva, { authors_may_create_drafts: 'no' })
    expect(await isOffered()).toEqual([false, false])
    expect((await begin('Not in Europe')).status).toBe(403)
    const { rows } = await admin.query(
      `select name, sub_tenant_id from journeys where name in ('Begun in Europe', 'Not in Europe')`,
    )
    expect(rows).toEqual([{ name: 'Begun in Europe', sub_tenant_id: europe }])
    await save(eva, { authors_may_create_drafts: 'company' })
    expect(await isOffered()).toEqual([true, true])
  })
})

describe('A second factor', () => {
  it('required by a sub-tenant is asked of its administrators at their next request, wherever they work', async () => {
    const adam = await site.visitor('adam@northwind.example')
    const elsewhere = await site.visitor('eva@northwind.example')
    await elsewhere.submit('/subtenants', { sub_tenant_id: await idOf('Northwind Americas') })
    expect((await elsewhere.visit(HERE)).status).toBe(200)
    const asked = [302, expect.stringContaining('/settings/security?needed')]
    expect(isAt(await save(eva, { admins_need_second_factor: 'yes' }))).toEqual([302, HERE])
    expect(isAt(await eva.visit(HERE))).toEqual(asked)
    expect(isAt(await eva.visit('/users'))).toEqual(asked)
    expect(isAt(await elsewhere.visit(HERE))).toEqual(asked)
    // From now on a sign-in leads to the setup.
    await expect(site.visitor('eva@northwind.example')).rejects.toThrow('/login/setupTotp')
    for (const path of ['/users', HERE]) expect((await adam.visit(path)).status).toBe(200)
    const uri = await site.visitor('uri@northwind.example')
    expect((await uri.visit('/todo')).status).toBe(200)
    await save(adam, { admins_need_second_factor: 'company' }, `/subtenants/${europe}/edit`)
    expect((await eva.visit(HERE)).status).toBe(200)
  })

  it('required by the company is required in its sub-tenants too, as the page says', async () => {
    const page = plain(await html(eva))
    expect(page).toContain('What the company requires stays required here')
    await company({ admins_need_second_factor: true })
    expect(isAt(await eva.visit(HERE))).toEqual([302, expect.stringContaining('/settings/security?needed')])
  })
})
