/** Who is logged out at the next request, and what the screens of people show to each role: without JavaScript. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withAdmin } from '#tests/support/postgres.ts'
import { shown } from '#tests/support/shown.ts'
import { openSite, type Site } from '#tests/support/site.ts'
import type { Visitor } from '#tests/support/visitor.ts'

let site: Site
let sofia: Visitor
let adam: Visitor

beforeAll(async () => {
  site = await openSite()
  sofia = await site.visitor('sofia@liftwell.example')
  adam = await site.visitor('adam@northwind.example')
})
afterAll(() => site?.close())

const html = async (visitor: Visitor, path: string) => (await visitor.visit(path)).text()
const isAt = (response: Response) => [response.status, response.headers.get('location')]
const toLogin = expect.stringMatching(/^\/login/)

async function userId(email: string): Promise<string> {
  const page = await html(adam, `/users?q=${encodeURIComponent(email)}`)
  return /\/users\/edit\/(\d+)["?]/.exec(page)?.[1] ?? ''
}
async function tenantId(name: string): Promise<string> {
  const page = await html(sofia, `/tenants?q=${encodeURIComponent(name)}`)
  return /\/tenants\/edit\/([0-9a-f-]{36})/.exec(page)?.[1] ?? ''
}
const tenantForm = (page: string) =>
  Object.fromEntries(
    ['name', 'industry', 'plan', 'lock_version'].map((name) => [
      name,
      new RegExp(`name="${name}"[^>]*value="([^"]*)"`).exec(page)?.[1] ??
        new RegExp(`value="([^"]*)"[^>]*name="${name}"`).exec(page)?.[1] ??
        '',
    ]),
  )

describe('At their next request', () => {
  it('a deactivated person is sent to sign in, and cannot sign in until they are activated', async () => {
    const uri = await site.visitor('uri@northwind.example')
    expect((await uri.visit('/settings/profile')).status).toBe(200)
    const path = `/users/edit/${await userId('uri@northwind.example')}`
    expect(await html(adam, `${path}?ask=deactivate`)).toContain('Yes, deactivate')
    expect(isAt(await adam.submit(path, { intent: 'deactivate' }))).toEqual([302, path])
    for (const page of ['/settings/profile', '/', '/users'])
      expect(isAt(await uri.visit(page))).toEqual([302, toLogin])
    await expect(site.visitor('uri@northwind.example')).rejects.toThrow()
    expect(isAt(await adam.submit(path, { intent: 'activate' }))).toEqual([302, path])
    // After reactivation the old cookie is still invalid.
    expect(isAt(await uri.visit('/settings/profile'))).toEqual([302, toLogin])
    await expect
      .poll(
        () =>
          site
            .visitor('uri@northwind.example')
            .then(() => 'in')
            .catch(() => 'out'),
        { timeout: 15_000 },
      )
      .toBe('in')
  })

  it('people of a tenant that was made inactive or deleted are sent to sign in', async () => {
    const grace = await site.visitor('grace@harbor.example')
    const path = `/tenants/edit/${await tenantId('Harbor Health')}`
    const set = async (status: string) => {
      const form = tenantForm(await html(sofia, path))
      const more = { customer_type: 'Single Tenant', timezone: 'UTC', status, confirmed: status }
      expect(isAt(await sofia.submit(path, { ...form, ...more }))).toEqual([302, '/tenants'])
    }
    await set('inactive')
    expect(isAt(await grace.visit('/settings/profile'))).toEqual([302, toLogin])
    await set('active')
    const again = await site.visitor('theo@harbor.example')
    expect((await again.visit('/settings/profile')).status).toBe(200)
    await sofia.submit(`${path}?delete=true`, { intent: 'delete' })
    expect(isAt(await again.visit('/settings/profile'))).toEqual([302, toLogin])
  })
})

describe('Company settings', () => {
  it('allow longer but not shorter quiet hours, and can require a second factor of administrators', async () => {
    const path = '/settings/company'
    const page = await html(adam, path)
    const lock_version = /name="lock_version" value="(\d+)"/.exec(page)?.[1] ?? ''
    const form = {
      name: 'Northwind Logistics',
      categories: 'Safety',
      timezone: 'Europe/Amsterdam',
      lock_version,
    }
    const shrunk = await adam.submit(path, {
      ...form,
      'quiet_hours.from': '22:00',
      'quiet_hours.to': '09:00',
    })
    expect(shrunk.status).toBe(400)
    expect(await shrunk.text()).toContain('Please choose a time from 12:00 PM to 9:00 PM')
    const wide = { 'quiet_hours.from': '19:30', 'quiet_hours.to': '10:00', admins_need_second_factor: 'on' }
    expect(isAt(await adam.submit(path, { ...form, ...wide }))).toEqual([302, path])
    // It applies at once, even to the administrator who set it.
    expect(isAt(await adam.visit(path))).toEqual([302, expect.stringContaining('/settings/security?needed')])
    const { rows } = await withAdmin(site.adminUrl, (admin) =>
      admin.query(`update tenants set settings = settings - 'admins_need_second_factor'
      where name = 'Northwind Logistics' returning settings`),
    )
    expect(rows[0].settings).toMatchObject({ quiet_hours: { from: '19:30', to: '10:00' } })
    expect(await html(adam, path)).toMatch(
      /name="quiet_hours.from"[^>]*value="19:30"|value="19:30"[^>]*name="quiet_hours.from"/,
    )
  })
})

describe('The screens of people', () => {
  it('say when a search was ignored, and why an export is refused', async () => {
    const long = await html(adam, `/users?q=${'x'.repeat(3000)}`)
    expect(long).toContain('The search was ignored')
    expect(await html(adam, '/users?q=x')).not.toContain('The search was ignored')
    expect(await html(adam, '/users?order=name:asc')).toContain('their roles, by last name.')
    expect(await html(adam, '/users?order=email:asc')).not.toContain('by last name')
    const uri = await site.visitor('uri@northwind.example')
    const small = await (await uri.visit('/users/export')).text()
    expect(small).toContain('<h1>No permission</h1>')
    expect(small).not.toContain('Not allowed from here')
    const refused = await uri.visit('/users/export', { headers: { accept: 'text/html,*/*;q=0.8' } })
    expect(refused.status).toBe(403)
    const framed = await refused.text()
    expect(framed).toMatch(/<title>No permission/)
    expect(framed).toMatch(/<nav class="side" aria-label="Main">/)
    expect(framed).toMatch(/<h1[^>]*>No permission/)
  })

  it('filter the list by department, with a chip for each department', async () => {
    const form = { first_name: 'Dora', email: 'dora@northwind.example', department: ' Yard & dock ' }
    const role = { 'user_general_roles[0].role': 'user' }
    expect((await adam.submit('/users/add', { ...form, ...role })).status).toBe(302)
    const list = shown(await html(adam, '/users?department=Yard+%26+dock'))
    expect(list).toContain('dora@northwind.example')
    expect(list).not.toContain('uri@northwind.example')
    expect(list).toMatch(/<a[^>]*class="chip"[^>]*aria-current="true"[^>]*>Yard &amp; dock</)
    expect(list).toMatch(/<a[^>]*class="chip"[^>]*>Warehouse</)
    expect(list).toContain('data-label="Department"')
    // `bdi` lets a long word wrap, instead of pushing the next columns out of sight.
    expect(list).toContain('<bdi>Yard &amp; dock</bdi>')
    // An emptied field is removed; its chip stays while it is selected.
    const path = `/users/edit/${await userId('dora@northwind.example')}`
    const page = await html(adam, path)
    const lock_version = /name="lock_version" value="(\d+)"/.exec(page)?.[1] ?? ''
    const emptied = { ...form, ...role, department: '', last_name: '', lock_version }
    expect((await adam.submit(path, emptied)).status).toBe(302)
    const none = await html(adam, '/users?department=Yard+%26+dock')
    expect(none).not.toContain('dora@northwind.example')
    expect(none).toContain('Yard &amp; dock')
  })

  it('filter the list by status and sub-tenant, and export the filtered list', async () => {
    const list = shown(await html(adam, '/users?activation_status=invited'))
    expect(list).toMatch(/<a[^>]*class="chip"[^>]*aria-current="true"[^>]*>Invited</)
    expect(list).toMatch(/<a[^>]*class="chip"[^>]*>Deactivated</)
    expect(list).toContain('Invited')
    expect(list).not.toContain('adam@northwind.example')
    const id = /sub_tenant_id=([0-9a-f-]{36})[^>]*>[^<]*Northwind Asia-Pacific/.exec(
      await html(adam, '/users'),
    )?.[1]
    const there = shown(await html(adam, `/users?sub_tenant_id=${id}`))
    expect(there).toMatch(/aria-current="true"[^>]*>Northwind Asia-Pacific</)
    expect(there).not.toContain('adam@northwind.example')
    const file = await html(adam, `/users/export?sub_tenant_id=${id}`)
    expect(file.trim().split('\n').length - 1).toBe([...there.matchAll(/data-label="E-mail"/g)].length)
    // The list tells a user nothing about sub-tenants.
    const uri = await site.visitor('uri@northwind.example')
    expect(await html(uri, '/users')).not.toContain('sub_tenant_id=')
    for (const wrong of ['activation_status=gone&sub_tenant_id=gone', 'department=&department=%20'])
      expect(await html(adam, `/users?${wrong}`)).not.toContain('No results')
  })

  it('tell administrators when a person was last seen', async () => {
    const uri = await site.visitor('uri@northwind.example')
    const of = async (who: Visitor, email: string) =>
      shown(await html(who, `/users/edit/${await userId(email)}`))
    expect(await of(adam, 'uri@northwind.example')).toMatch(/<p>Last seen <time[^>]*>[^<]*, 20\d\d/)
    const form = { first_name: 'Nell', email: 'nell@northwind.example', 'user_general_roles[0].role': 'user' }
    expect((await adam.submit('/users/add', form)).status).toBe(302)
    expect(await of(adam, 'nell@northwind.example')).toContain('<p>Never signed in</p>')
    expect(await of(uri, 'adam@northwind.example')).not.toMatch(/Last seen|Never signed in/)
  })

  it('let users and authors edit only themselves, and hide what is for administrators', async () => {
    const ADMINS_ONLY = ['Add user', '/users/import', '/users/export', 'name="user_ids"']
    const adminsList = await html(adam, '/users')
    for (const words of ADMINS_ONLY) expect(adminsList).toContain(words)
    for (const email of ['uri@northwind.example', 'aya@northwind.example']) {
      const visitor = await site.visitor(email)
      const list = await html(visitor, '/users')
      for (const words of ADMINS_ONLY) expect(list).not.toContain(words)
      for (const path of ['/users/add', '/users/import', '/users/export'])
        expect((await visitor.visit(path)).status).toBe(403)
      const self = await userId(email)
      const ids = [...list.matchAll(/\/users\/edit\/(\d+)["?]/g)].map(([, id]) => id)
      const other = `/users/edit/${ids.find((id) => id !== self)}`
      const page = await html(visitor, other)
      expect(page).not.toContain('Save user')
      expect(page).not.toContain('Deactivate account')
      expect((await visitor.submit(other, { first_name: 'X' })).status).toBe(403)
      const own = `/users/edit/${self}`
      const form = await html(visitor, own)
      expect(form).toContain('Save user')
      expect(form).not.toContain('name="user_general_roles')
      const change = { first_name: 'Same', last_name: 'Name' }
      const more = await visitor.submit(own, { ...change, 'user_general_roles[0].role': 'admin' })
      expect([more.status, await more.text()]).toEqual([
        400,
        expect.stringContaining('This form has no field'),
      ])
      expect(isAt(await visitor.submit(own, change))).toEqual([302, own])
      expect((await visitor.visit('/users/add')).status).toBe(403)
      expect((await visitor.submit(own, { intent: 'delete' })).status).toBe(403)
      expect((await visitor.visit(own)).status).toBe(200)
    }
  })

  it('say at the top why a person cannot deactivate or delete themselves', async () => {
    const path = `/users/edit/${await userId('adam@northwind.example')}`
    for (const [intent, why] of [
      ['deactivate', 'You cannot deactivate yourself.'],
      ['delete', 'You cannot delete yourself.'],
    ] as const) {
      const answer = await adam.submit(`${path}?ask=${intent}`, { intent })
      const page = await answer.text()
      expect(answer.status).toBe(409)
      expect(page).toMatch(new RegExp(`id="account-errors"[^>]*>${why}<`))
      expect(page).not.toContain('role="alertdialog"')
      // Without scripts the page starts at its top, far from its buttons, so the error is there.
      expect(page.indexOf(why)).toBeLessThan(page.indexOf('value="Adam"'))
    }
  })

  it('offer nothing to do about an erased person, and refuse every change', async () => {
    const form = { first_name: 'Gone', email: 'gone@northwind.example', 'user_general_roles[0].role': 'user' }
    expect((await adam.submit('/users/add', form)).status).toBe(302)
    const id = await userId('gone@northwind.example')
    const path = `/users/edit/${id}`
    expect(isAt(await adam.submit(path, { intent: 'erase' }))).toEqual([302, '/users'])
    const again = await adam.follow(await adam.submit(path, { intent: 'erase' }))
    expect([again.path, again.html.includes('Already erased')]).toEqual(['/users', true])
    for (const ask of ['', '?ask=deactivate', '?ask=delete', '?ask=erase', '?ask=reset_password']) {
      const page = await html(adam, `${path}${ask}`)
      expect(page).toContain('Erased')
      for (const words of ['Save user', 'Activate account', 'Delete user', 'Erase for good', 'alertdialog'])
        expect(page).not.toContain(words)
    }
    for (const intent of ['activate', 'deactivate', 'resend_welcome', 'delete'])
      expect([intent, (await adam.submit(path, { intent })).status]).toEqual([intent, 409])
    const back = { ...form, first_name: 'Back', last_name: '', email: `erased-${id}@erased.invalid` }
    expect((await adam.submit(path, back)).status).toBe(409)
    await adam.submit('/users', { intent: 'activate', user_ids: [id] })
    const list = await html(adam, '/users?q=erased.invalid')
    expect(list).toContain('Erased')
    expect(list).not.toContain(`name="user_ids" value="${id}"`)
  })

  it('offer a sub-tenant’s administrator only what they can change about a person of two sub-tenants', async () => {
    const page = await html(adam, '/users/add')
    const parts = ['Europe', 'Americas'].map(
      (name) => new RegExp(`value="([0-9a-f-]{36})"[^>]*>Northwind ${name}<`).exec(page)?.[1] ?? '',
    )
    const form = { first_name: 'Wide', email: 'wide@northwind.example' }
    const roles = Object.fromEntries(
      parts.flatMap((part, at) => [
        [`user_general_roles[${at}].role`, 'user'],
        [`user_general_roles[${at}].sub_tenant_id`, part],
      ]),
    )
    expect((await adam.submit('/users/add', { ...form, ...roles })).status).toBe(302)
    const path = `/users/edit/${await userId('wide@northwind.example')}`
    const eva = await site.visitor('eva@northwind.example')
    expect((await eva.submit('/subtenants', { sub_tenant_id: parts[0] ?? '' })).status).toBe(302)
    const hers = await html(eva, path)
    expect(hers).toContain('also works elsewhere in the company')
    expect(hers).not.toMatch(/<input[^>]*type="text"[^>]*name="first_name"/)
    for (const words of [
      'Deactivate account',
      'Delete user',
      'Erase for good',
      'Download data',
      'alertdialog',
    ])
      expect([words, hers.includes(words)]).toEqual([words, false])
    expect(await html(eva, `${path}?ask=deactivate`)).not.toContain('alertdialog')
    expect(await html(adam, `${path}?ask=erase`)).toContain(
      'what went to a learning record store, stay where they are',
    )
    // She can still change the roles in her sub-tenant.
    const saved = { ...form, last_name: '', mobile_phone: '', job_title: '', timezone: '' }
    const role = {
      'user_general_roles[0].role': 'author',
      'user_general_roles[0].sub_tenant_id': parts[0] ?? '',
    }
    expect((await eva.submit(path, { ...saved, ...role })).status).toBe(302)
    expect((await eva.submit(path, { ...saved, first_name: 'Other', ...role })).status).toBe(403)
    expect(await html(adam, `/users?q=wide@northwind.example`)).toContain('Author')
    expect(await html(eva, `${path}?ask=remove_roles`)).toContain('Yes, remove')
    expect(isAt(await eva.submit(path, { intent: 'remove_roles' }))).toEqual([302, '/users'])
    const again = await eva.follow(await eva.submit(path, { intent: 'remove_roles' }))
    expect(again.html).toContain('Already removed')
    expect((await eva.submit(path, { intent: 'constructor' })).status).toBe(404)
    expect((await eva.visit(path)).status).toBe(404)
    const left = await html(adam, path)
    expect(left).not.toContain('Remove from this sub-tenant')
    expect(left.match(/<legend[^>]*>Role /g)).toHaveLength(1)
    const own = `/users/edit/${await userId('adam@northwind.example')}`
    expect(await html(adam, `${own}?ask=deactivate`)).not.toContain('alertdialog')
  })

  it('refuse direction marks in names and letters in numbers; searches ignore extra spaces', async () => {
    const form = { first_name: 'Turn', email: 'turn@northwind.example', 'user_general_roles[0].role': 'user' }
    for (const [more, field] of [
      [{ first_name: 'Tu\u202Ern' }, 'first_name'],
      [{ mobile_phone: '+31 (6) 12-34 56 78 abc' }, 'mobile_phone'],
      [{ dial_code: '+31', mobile_phone: '6 1234 56x78' }, 'mobile_phone'],
      [{ dial_code: '+31', mobile_phone: '12' }, 'mobile_phone'],
    ] as const) {
      const answer = await adam.submit('/users/add', { ...form, ...more })
      expect([field, [400, 422].includes(answer.status)]).toEqual([field, true])
      expect(await answer.text()).toContain(`id="user-${field}-error"`)
    }
    expect(shown(await html(adam, '/users?q=Adam++Visser'))).toContain('adam@northwind.example')
    const audit = await html(adam, '/settings/audit?actor=adam++vis')
    expect(audit).not.toContain('No results')
    expect(audit).toContain('Adam Visser')
  })

  it('take a phone number as country code and number, and show it that way', async () => {
    const form = { first_name: 'Dial', email: 'dial@northwind.example', 'user_general_roles[0].role': 'user' }
    const letters = await adam.submit('/users/add', { ...form, dial_code: '+43', mobile_phone: '664 12 x' })
    const shown = await letters.text()
    expect([letters.status, shown]).toEqual([400, expect.stringContaining('digits, without letters')])
    expect(shown).toMatch(/<option value="\+43" selected=""/)
    const number = { dial_code: '+43', mobile_phone: '0664 123 45 67' }
    expect((await adam.submit('/users/add', { ...form, ...number })).status).toBe(302)
    const path = `/users/edit/${await userId('dial@northwind.example')}`
    const page = await html(adam, path)
    expect(page).toMatch(/<option value="\+43" selected=""/)
    expect(page).toMatch(/name="mobile_phone"[^>]*value="6641234567"/)
    const lock_version = /name="lock_version" value="(\d+)"/.exec(page)?.[1] ?? ''
    const again = { ...form, lock_version, dial_code: '+31', mobile_phone: '06 12345678' }
    expect((await adam.submit(path, again)).status).toBe(302)
    // Sending the stored values again is no conflict.
    expect((await adam.submit(path, again)).status).toBe(302)
    const other = await adam.submit(path, { ...again, first_name: 'Other' })
    expect([other.status, await other.text()]).toEqual([409, expect.stringContaining('Dial')])
    expect(await html(adam, path)).toMatch(/<option value="\+31" selected=""/)
  })

  it('refuse a second invitation for a minute, and link exports without the open dialog', async () => {
    const form = { first_name: 'Soon', email: 'soon@northwind.example', 'user_general_roles[0].role': 'user' }
    expect((await adam.submit('/users/add', form)).status).toBe(302)
    const path = `/users/edit/${await userId('soon@northwind.example')}`
    // This person has no invitation yet.
    const page = await html(adam, path)
    expect(page).toContain('>Send invitation<')
    expect(page).not.toContain('Resend')
    expect((await adam.submit(path, { intent: 'resend_welcome' })).status).toBe(302)
    const soon = await adam.submit(path, { intent: 'resend_welcome' })
    expect([soon.status, Number(soon.headers.get('retry-after'))]).toEqual([429, 60])
    for (const [list, exported] of [
      ['/settings/audit?actor=x&log_out=true', '/settings/audit/export?actor=x'],
      ['/users?q=x&log_out=true', '/users/export?q=x'],
    ] as const)
      expect(await html(adam, list)).toContain(`href="${exported}"`)
  })

  it('refuse the switcher to users and authors, and say when a person is already there', async () => {
    for (const email of ['uri@northwind.example', 'aya@northwind.example']) {
      const visitor = await site.visitor(email)
      expect((await visitor.visit('/switch')).status).toBe(403)
      expect((await visitor.submit('/switch', { place: 'x' })).status).toBe(403)
    }
    const eva = await site.visitor('eva@northwind.example')
    const [, sub_tenant_id = ''] =
      /name="sub_tenant_id" value="([^"]*)"/.exec(await html(eva, '/subtenants')) ?? []
    expect((await eva.submit('/subtenants', { sub_tenant_id })).status).toBe(302)
    await eva.submit('/subtenants', { sub_tenant_id })
    expect(await html(eva, '/subtenants')).toContain('You are there already.')
    expect(await html(eva, '/settings/company')).toContain('The same as the company (7:30 PM to 10:00 AM)')
  })

  it('import the people of a dry run with one button, and only once', async () => {
    const csv =
      'email,first_name,job_title\nkeep@northwind.example,Keep,Pilot\nadam@northwind.example,Adam,Other'
    const file = new File([csv], 'two.csv', { type: 'text/csv' })
    const begun = await adam.submit('/users/import', { file, intent: 'check' })
    const path = begun.headers.get('location') ?? ''
    await expect.poll(() => html(adam, path), { timeout: 30_000 }).toContain('Import this 1 person')
    const page = shown(await html(adam, path))
    for (const words of ['keep@northwind.example', 'would be created', 'the file differs in Job title'])
      expect(page).toContain(words)
    expect(page).toMatch(
      /The file is kept until <time [^>]*>[^<]+\s[AP]M<\/time>\. (<!-- -->)?No invitation is sent\./,
    )
    expect(await userId('keep@northwind.example')).toBe('')
    const done = await adam.submit(path, { intent: 'import' })
    const followed = done.headers.get('location') ?? ''
    expect(followed).toMatch(/^\/users\/import\/[0-9a-f-]{36}$/)
    await expect.poll(() => html(adam, followed), { timeout: 30_000 }).toContain('Finished.')
    expect(await userId('keep@northwind.example')).not.toBe('')
    // A second press, as in a double click.
    expect(isAt(await adam.submit(path, { intent: 'import' }))).toEqual([302, followed])
    const again = await html(adam, path)
    expect(again).toMatch(new RegExp(`It was imported: (<!-- -->)?<a [^>]*href="${followed}"`))
    expect(again).not.toContain('Import this 1 person')
  })

  it('link to an import from its notification and from the list, in its own company only', async () => {
    const tess = await site.visitor('tess@testing.example')
    expect(await html(tess, '/users/import')).toContain('No import yet')
    const csv = 'email,first_name,mobile_phone\nback@northwind.example,Back,\nwrong@northwind.example,W,123'
    const file = new File([csv], 'found-again.csv', { type: 'text/csv' })
    const path = (await adam.submit('/users/import', { file, intent: 'check' })).headers.get('location') ?? ''
    await expect.poll(() => html(adam, path), { timeout: 30_000 }).toContain('Import this 1 person')
    expect(shown(await html(adam, path))).toContain('Mobile phone: write it like +34600111222')
    expect(await html(adam, '/notifications')).toContain(`href="${path}"`)
    const list = await html(adam, '/users/import?page=zero')
    for (const words of [`href="${path}"`, 'found-again.csv', 'Dry run', 'Can be imported until', 'Adam'])
      expect(list).toContain(words)
    expect(isAt(await adam.submit(path, { intent: 'import' }))[0]).toBe(302)
    expect(await html(adam, path)).toContain('It was imported')
    const elsewhere = await html(tess, '/users/import')
    expect(elsewhere).not.toContain('found-again.csv')
    expect((await (await site.visitor('uri@northwind.example')).visit('/users/import')).status).toBe(403)
  })

  it('do not say that nobody was created when an import failed halfway', async () => {
    const tess = await site.visitor('tess@testing.example')
    const file = new File(['email,first_name\nhalf@testing.example,Half'], 'half.csv')
    const path =
      (await tess.submit('/users/import', { file, intent: 'import' })).headers.get('location') ?? ''
    await expect.poll(() => html(tess, path), { timeout: 30_000 }).toContain('Finished.')
    const fail = (created: number) =>
      withAdmin(site.adminUrl, (admin) =>
        admin.query(
          `update user_imports set status = 'failed', problem = 'It broke.', created = $2 where id = $1`,
          [path.split('/').at(-1), created],
        ),
      )
    await fail(1)
    expect(shown(await html(tess, path))).toContain('It ended before the end of the file.')
    await fail(0)
    expect(shown(await html(tess, path))).toContain('Nobody was created.')
  })

  it('ask for a file when the browser sends an empty file field', async () => {
    const headers = { 'content-type': 'multipart/form-data; boundary=x' }
    const parts = ['"file"; filename=""\r\n\r\n', '"intent"\r\n\r\ncheck']
    const body = parts.map((part) => `--x\r\nContent-Disposition: form-data; name=${part}\r\n`).join('')
    const sent = { method: 'POST', headers, body: `${body}--x--\r\n` }
    const answer = await adam.visit('/users/import', sent)
    expect([answer.status, shown(await answer.text())]).toEqual([
      400,
      expect.stringContaining('Please choose a file'),
    ])
  })

  it('add a person and start an import once, even if the same form is sent twice', async () => {
    const add = {
      ...{ first_name: 'Once', email: 'once@northwind.example', __key__: randomUUID() },
      'user_general_roles[0].role': 'user',
    }
    for (const press of [1, 2])
      expect([press, ...isAt(await adam.submit('/users/add', add))]).toEqual([press, 302, '/users'])
    expect(await html(adam, '/users')).toContain('Once was not invited yet.')
    const invited = { ...add, email: 'now@northwind.example', send_welcome: 'on' }
    expect((await adam.follow(await adam.submit('/users/add', invited))).html).toContain(
      'Once gets an invitation.',
    )

    const __key__ = randomUUID()
    const tess = await site.visitor('tess@testing.example')
    const begin = async (name: string) => {
      const file = new File([`email,first_name\n${name}@testing.example,${name}`], 'once.csv')
      return (await tess.submit('/users/import', { file, intent: 'check', __key__ })).headers.get('location')
    }
    const first = await begin('jan')
    expect(first).toMatch(/^\/users\/import\/[0-9a-f-]{36}$/)
    expect(await begin('jan')).toBe(first)
    expect(await begin('joe')).not.toBe(first)
  })

  it('have one button to check a file and one to import it', async () => {
    const tess = await site.visitor('tess@testing.example')
    const page = await html(tess, '/users/import')
    expect(page).toMatch(/name="intent" value="check"[^>]*>Check the file</)
    expect(page).toMatch(/name="intent" value="import"[^>]*>Import users</)
    const file = new File(['email,first_name\nbox@testing.example,Box'], 'one.csv')
    const imported = await tess.submit('/users/import', { file, intent: 'import' })
    const path = imported.headers.get('location') ?? ''
    await expect.poll(() => html(tess, path), { timeout: 30_000 }).toContain('Finished.')
    // Without a button the form neither checks nor imports.
    expect((await tess.submit('/users/import', { file })).status).toBe(400)
  })

  it('offer a CSV template that can be imported as it is', async () => {
    expect(await html(adam, '/users/import')).toContain('href="/users/import/template"')
    const template = await adam.visit('/users/import/template')
    expect(template.headers.get('content-disposition')).toContain('attachment')
    const text = await template.text()
    expect(text).toMatch(/E-mail,First name,Last name,Mobile phone,.*\r\nana@example\.com,Ana,/)
    const file = new File([text], 'template.csv', { type: 'text/csv' })
    const path = (await adam.submit('/users/import', { file, intent: 'check' })).headers.get('location') ?? ''
    await expect.poll(() => html(adam, path), { timeout: 30_000 }).toContain('Import this 1 person')
    const uri = await site.visitor('uri@northwind.example')
    expect((await uri.visit('/users/import/template')).status).toBe(403)
  })

  it('name the column of a wrong value in the rows of an import', async () => {
    const file = new File(['email,first_name,mobile_phone\nana@example.com,Ana,12'], 'people.csv', {
      type: 'text/csv',
    })
    const path = (await adam.submit('/users/import', { file, intent: 'check' })).headers.get('location') ?? ''
    await expect.poll(() => html(adam, path), { timeout: 30_000 }).toContain('Row by row')
    expect(await html(adam, path)).toMatch(/<td[^>]*>(<[^>]*>)*Mobile phone</)
  })

  it('offer a workbook as a template, import it, and refuse a damaged one', async () => {
    expect(await html(adam, '/users/import')).toContain('href="/users/import/template?format=xlsx"')
    const template = await adam.visit('/users/import/template?format=xlsx')
    expect(template.headers.get('content-disposition')).toContain('people-template.xlsx')
    const file = new File([await template.arrayBuffer()], 'template.xlsx')
    const path = (await adam.submit('/users/import', { file, intent: 'check' })).headers.get('location') ?? ''
    await expect.poll(() => html(adam, path), { timeout: 30_000 }).toContain('Import this 1 person')
    const broken = new File([(await file.arrayBuffer()).slice(0, 500)], 'broken.xlsx')
    const answer = await adam.submit('/users/import', { file: broken, intent: 'check' })
    expect([answer.status, await answer.text()]).toEqual([
      422,
      expect.stringContaining('The workbook is damaged.'),
    ])
  })

  it('say at the field that the file of an import is too large', async () => {
    const file = new File(['x'.repeat(11_000_000)], 'people.csv', { type: 'text/csv' })
    const answer = await adam.submit('/users/import', { file, intent: 'check' })
    expect([answer.status, await answer.text()]).toEqual([
      422,
      expect.stringMatching(/class="field-errors".*?The file is larger than 10 MB\./s),
    ])
  })

  it('say at the field which roles, sub-tenants and e-mail addresses are refused', async () => {
    const form = { first_name: 'Kept', email: 'kept@northwind.example', 'user_general_roles[0].role': 'user' }
    const part = 'user_general_roles[0].sub_tenant_id'
    const company = await tenantId('Northwind Logistics')
    const taken = 'Someone with this e-mail address already has an account.'
    for (const [more, status, field, why] of [
      [
        { 'user_general_roles[0].role': 'super_admin' },
        400,
        'user_general_roles[0].role',
        'Please choose a role',
      ],
      [{ [part]: company }, 422, part, 'There is no such sub-tenant'],
      [{ [part]: '6f9619ff-8b86-4d01-b42d-00cf4fc964ff' }, 422, part, 'There is no such sub-tenant'],
      [{ email: 'URI@northwind.example' }, 409, 'email', taken],
      // The address of a person of another company.
      [{ email: 'sofia@liftwell.example' }, 409, 'email', taken],
    ] as const) {
      const answer = await adam.submit('/users/add', { ...form, ...more })
      const page = await answer.text()
      const shown = page.split(`id="user-${field}-error"`)[1]?.slice(0, 400)
      expect([field, answer.status, shown]).toEqual([field, status, expect.stringContaining(why)])
      expect(page).toContain('value="Kept"')
    }
    expect(await userId('kept@northwind.example')).toBe('')
  })

  it('say at the roles that administrators cannot demote themselves', async () => {
    const path = `/users/edit/${await userId('adam@northwind.example')}`
    const answer = await adam.submit(path, {
      first_name: 'Adam',
      email: 'adam@northwind.example',
      'user_general_roles[0].role': 'user',
    })
    const shown = (await answer.text()).split('-user_general_roles-error"')[1]?.slice(0, 400)
    expect([answer.status, shown]).toEqual([409, expect.stringMatching(/yourself|your own/)])
  })

  it('keep what was typed about a new user when something is wrong', async () => {
    const answer = await adam.submit('/users/add', {
      first_name: 'Kept <b>',
      email: 'nobody',
      'user_general_roles[0].role': 'user',
    })
    const page = await answer.text()
    expect(answer.status).toBe(400)
    expect(page).toContain('Kept &lt;b&gt;')
    expect(page).toContain('Please enter a valid email')
  })

  it('ask before acting on several people, keep the selection, and then act on all of them', async () => {
    const sam = await userId('sam@northwind.example')
    const uri = await userId('uri@northwind.example')
    const asked = `/users?role=user&ask=deactivate&user_ids=${sam}&user_ids=${uri}&user_ids=x`
    const page = await html(adam, asked)
    expect(page).toContain('Deactivate 2 people?')
    expect(page).toMatch(/<input type="hidden" name="intent" value="deactivate"\/>/)
    for (const id of [sam, uri])
      expect(page).toContain(`<input type="hidden" name="user_ids" value="${id}"/>`)
    expect(page.match(/name="user_ids"[^>]*checked=""/g)).toHaveLength(2)
    const both = [await site.visitor('sam@northwind.example'), await site.visitor('uri@northwind.example')]
    for (const intent of ['deactivate', 'activate']) {
      const { html: list } = await adam.follow(await adam.submit('/users', { intent, user_ids: [sam, uri] }))
      expect(shown(list)).toContain(`2 of 2 people ${intent}d`)
    }
    for (const one of both) expect(isAt(await one.visit('/todo'))).toEqual([302, toLogin])
    const [search = ''] = /<form[^>]*role="search".*?<\/form>/s.exec(page) ?? []
    expect([search.includes('name="role"'), search.includes('"ask"'), search.includes('"user_ids"')]).toEqual(
      [...[true, false, false]],
    )
    expect(page).toContain(`href="/users?role=user&amp;user_ids=${sam}&amp;user_ids=${uri}`)
    for (const [ask, words] of [
      ['activate', 'Activate 1 person?'],
      ['resend_welcome', 'Send 1 person an invitation?'],
      ['resend_welcome', 'Any earlier link to choose a password stops working'],
    ] as const)
      expect(await html(adam, `/users?ask=${ask}&user_ids=${sam}`)).toContain(words)
    expect(await html(adam, `/users?ask=erase&user_ids=${sam}`)).not.toContain('alertdialog')
    expect(isAt(await adam.visit('/users?q=a&ask=deactivate'))).toEqual([302, '/users?q=a'])
    expect(await html(adam, '/users?q=a')).toContain('Please select at least one person')
    const aya = await site.visitor('aya@northwind.example')
    expect(await html(aya, `/users?ask=deactivate&user_ids=${sam}`)).not.toContain('alertdialog')
  })

  it('say that a page beyond the last one is empty, and link back', async () => {
    const page = await html(adam, '/users?page=99999&role=user')
    expect(page).toMatch(/There’s nothing on this page\. Total: \d+\./)
    expect(page).not.toContain('Nobody matches')
    expect(page).toContain('href="/users?role=user&amp;page=2"')
    expect(await html(adam, '/users?q=zzzz')).toContain('Nobody matches this search.')
  })

  it('say in the list which selected people were deactivated, and why others were not', async () => {
    const ids = [await userId('adam@northwind.example'), await userId('sam@northwind.example')]
    expect(isAt(await adam.submit('/users?index', { intent: 'deactivate', user_ids: ids }))).toEqual([
      302,
      '/users',
    ])
    const page = await html(adam, '/users')
    expect(page).toContain('1 of 2 people deactivated')
    expect(page).toContain('You cannot deactivate yourself.')
    await adam.submit('/users?index', { intent: 'deactivate', user_ids: ids })
    const again = await html(adam, '/users')
    expect(again).toContain('0 of 2 people deactivated')
    expect(again).toContain('Sam de Boer was deactivated before.')
  })
})
