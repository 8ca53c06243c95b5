/** The screens of tenants, sub-tenants and companies: without JavaScript. */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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

const initech = {
  name: 'Initech',
  customer_type: 'Multi Tenant',
  status: 'active',
  timezone: 'Europe/Vienna',
  llj_categories: 'Sales\r\nSafety',
}
const isAt = (response: Response) => [response.status, response.headers.get('location')]
const html = async (visitor: Visitor, path: string) => (await visitor.visit(path)).text()
const fieldErrors = (page: string) =>
  [...page.matchAll(/class="field-errors".*?<span>([^<]*)</gs)].map(([, words]) => words)
const hidden = (page: string, name: string) =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? ''

/** The id in the row with this name. */
async function idOf(name: string): Promise<string> {
  const page = await html(sofia, `/tenants?q=${encodeURIComponent(name)}`)
  return /\/tenants\/edit\/([0-9a-f-]{36})/.exec(page)?.[1] ?? ''
}

describe('The list of tenants', () => {
  it('shows the tenants, and what can be done with them', async () => {
    const page = await html(sofia, '/tenants')
    for (const words of ['Northwind Logistics', 'Harbor Health', 'Go to the Platform', 'Add tenant']) {
      expect(page).toContain(words)
    }
    expect(page).not.toContain('/tenants/edit/undefined')
    expect(page).toMatch(/data-label="People"[^>]*>/)
    expect(await html(adam, '/subtenants')).toContain('href="/users?sub_tenant_id=')
  })

  it('finds tenants by their names and those of their sub-tenants, in upper or lower case', async () => {
    const page = await html(sofia, '/tenants?q=hARBOR')
    expect(page).toContain('Harbor Health')
    expect(page).not.toContain('Northwind Logistics')
    const part = await html(sofia, '/tenants?q=aMERICAS')
    expect([part.includes('Northwind Logistics'), part.includes('Harbor Health')]).toEqual([true, false])
    expect(await html(sofia, '/tenants?q=zzz')).toContain('No results')
  })

  it.each([
    'page=-1',
    'page=1e308',
    'page=9007199254740993',
    'order=drop:table',
    'order=name:sideways',
    'q=%00',
    'role=x',
  ])('falls back to the default for ?%s', async (query) => {
    const response = await sofia.visit(`/tenants?${query}`)
    expect(response.status).toBe(200)
    expect(await response.text()).toMatch(/Northwind Logistics|No results/)
  })

  it('sends strangers to sign in, and a company’s administrator to /users', async () => {
    const stranger = await (await site.visitor()).visit('/tenants?page=2')
    expect(isAt(stranger)).toEqual([302, `/login?redirect=${encodeURIComponent('/tenants?page=2')}`])
    for (const path of ['/tenants', '/tenants/add', `/tenants/edit/${await idOf('Harbor Health')}`])
      expect(isAt(await adam.visit(path))).toEqual([302, '/users'])
  })
})

describe('A tenant', () => {
  it('is added, opened, and given a logo, which is served with safe headers', async () => {
    const admins = { 'admins[0].first_name': 'Bill', 'admins[0].email': 'bill@initech.example' }
    expect(isAt(await sofia.submit('/tenants/add', { ...initech, ...admins }))).toEqual([302, '/tenants'])
    const path = `/tenants/edit/${await idOf('Initech')}`
    const page = await html(sofia, path)
    expect(page).toContain('Sales\nSafety')
    expect(page).toContain('bill@initech.example')

    const bytes = await sharp({ create: { width: 600, height: 300, channels: 3, background: '#36c' } })
      .png()
      .toBuffer()
    const logo = new File([new Uint8Array(bytes)], 'logo.png', { type: 'image/png' })
    const change = { ...initech, name: 'Initech Ltd', lock_version: hidden(page, 'lock_version'), logo }
    expect(isAt(await sofia.submit(path, change))).toEqual([302, '/tenants'])

    const list = await html(sofia, '/tenants?q=Initech+Ltd')
    const picture = await sofia.visit(/src="(\/files\/[^"]+)"/.exec(list)?.[1] ?? '')
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect(picture.headers.get('x-content-type-options')).toBe('nosniff')
    expect(picture.headers.get('content-security-policy')).toContain("default-src 'none'; sandbox")
    expect(picture.headers.get('cache-control')).toBe('private, max-age=86400, immutable')
    expect(picture.headers.get('vary')).toBe('Cookie')
    expect((await sofia.visit('/tenants')).headers.get('cache-control')).toBe('no-store')
    expect((await adam.visit(new URL(picture.url).pathname)).status).toBe(404)
  })

  it('keeps what was typed, and says at each field what is wrong', async () => {
    const response = await sofia.submit('/tenants/add', {
      ...initech,
      name: ' ',
      industry: 'Kept <words>',
      timezone: 'Mars',
    })
    const page = await response.text()
    expect(response.status).toBe(400)
    expect(page).toContain('Kept &lt;words&gt;')
    expect(fieldErrors(page)).toEqual(['This field is required', 'There is no such time zone'])
  })

  it('says at the field that a name or an e-mail address is taken', async () => {
    const name = await sofia.submit('/tenants/add', { ...initech, name: 'harbor health' })
    expect([name.status, fieldErrors(await name.text())]).toEqual([
      409,
      ['Another tenant already has this name.'],
    ])
    const admins = { 'admins[0].first_name': 'A', 'admins[0].email': 'adam@northwind.example' }
    const known = await sofia.submit('/tenants/add', { ...initech, name: 'Umbrella', ...admins })
    expect(known.status).toBe(409)
    expect(fieldErrors(await known.text())[0]).toContain('already has an account')
  })

  it('gets a row for another administrator without losing what was typed', async () => {
    const intent = JSON.stringify({ type: 'insert', payload: { name: 'admins' } })
    const response = await sofia.submit('/tenants/add', {
      ...initech,
      name: 'Rows',
      'admins[0].first_name': 'One',
      __intent__: intent,
    })
    const page = await response.text()
    expect(response.status).toBe(200)
    expect(page).toContain('name="admins[1].email"')
    expect(page).toContain('value="One"')
  })

  it('shows both versions when another person saved first, and can then be saved', async () => {
    await sofia.submit('/tenants/add', { ...initech, name: 'Stale' })
    const path = `/tenants/edit/${await idOf('Stale')}`
    await sofia.submit(path, { ...initech, name: 'Stale theirs', lock_version: '0' })
    const response = await sofia.submit(path, { ...initech, name: 'Stale mine', lock_version: '0' })
    const page = await response.text()
    expect(response.status).toBe(409)
    expect(page).toMatch(/<td>Stale theirs<\/td><td>Stale mine<\/td>/)
    expect(page).toMatch(/<input[^>]*value="Stale mine"/)
    const again = { ...initech, name: 'Stale mine', lock_version: hidden(page, 'lock_version') }
    expect(isAt(await sofia.submit(path, again))).toEqual([302, '/tenants'])
    expect(await html(sofia, '/tenants?q=Stale')).toContain('Stale mine')
  })

  it.each([
    ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/svg+xml'],
    ['an HTML page named .png', '<script>alert(1)</script>', 'image/png'],
    ['more than 2 MB', 'x'.repeat(2_200_000), 'image/png'],
  ])('refuses %s as a logo', async (_what, text, type) => {
    const logo = new File([text], 'logo.png', { type })
    const response = await sofia.submit('/tenants/add', { ...initech, name: 'No logo', logo })
    expect([400, 422]).toContain(response.status)
    expect(fieldErrors(await response.text())).toHaveLength(1)
    expect(await html(sofia, '/tenants?q=No+logo')).toContain('No results')
  })

  it('says at the field when a logo is far too large, and keeps what was typed', async () => {
    const logo = new File([new Uint8Array(12_000_000)], 'logo.png', { type: 'image/png' })
    const response = await sofia.submit('/tenants/add', { ...initech, name: 'Kept name', logo })
    const page = await response.text()
    expect([response.status, fieldErrors(page)]).toEqual([400, ['The image is larger than 2 MB']])
    expect(page).toContain('value="Kept name"')
  })

  it('says that the logo must be chosen again when the form comes back', async () => {
    await sofia.submit('/tenants/add', { ...initech, name: 'Taken name' })
    const logo = new File([new Uint8Array(9)], 'logo.png', { type: 'image/png' })
    const again = 'Please choose the logo again: a browser does not keep files.'
    const row = { type: 'insert', payload: { name: 'admins' } }
    for (const [status, more] of [
      [409, { name: 'Taken name', industry: 'Food' }],
      [400, { name: ' ' }],
      [200, { name: 'More people', __intent__: JSON.stringify(row) }],
    ] as const) {
      const sent = { ...initech, ...more }
      const without = await sofia.submit('/tenants/add', sent)
      expect([without.status, (await without.text()).includes(again)]).toEqual([status, false])
      const response = await sofia.submit('/tenants/add', { ...sent, logo })
      expect([response.status, (await response.text()).includes(again)]).toEqual([status, true])
    }
  })

  it('answers a form of 50 MB with a page that says nothing was saved', async () => {
    const logo = new File([new Uint8Array(50_000_000)], 'logo.png', { type: 'image/png' })
    const response = await sofia.submit('/tenants/add', { ...initech, name: 'Huge', logo })
    expect([response.status, await response.text()]).toEqual([
      413,
      expect.stringContaining('Nothing was saved. Go back in your browser: what you typed is still there.'),
    ])
  })

  it('is a 404 when it does not exist', async () => {
    for (const id of ['0b8f1f6e-5f0e-4b0a-9a51-0f0f0f0f0f0f', 'x', '..%2fusers', '%252e%252e', 'a%3fb'])
      expect((await sofia.visit(`/tenants/edit/${id}`)).status).toBe(404)
  })

  it('is deleted after a question, and says when it is already deleted', async () => {
    await sofia.submit('/tenants/add', { ...initech, name: 'Gone' })
    const path = `/tenants/edit/${await idOf('Gone')}`
    expect(await html(sofia, `${path}?delete=true`)).toContain('Yes, delete')
    expect(isAt(await sofia.submit(`${path}?delete=true`, { intent: 'delete' }))).toEqual([302, '/tenants'])
    expect((await sofia.visit(path)).status).toBe(404)
    const again = await sofia.follow(await sofia.submit(`${path}?delete=true`, { intent: 'delete' }))
    expect([again.path, again.html.includes('Already deleted')]).toEqual(['/tenants', true])
  })

  it('is made inactive after a question, which is not asked again', async () => {
    await sofia.submit('/tenants/add', { ...initech, name: 'Resting' })
    const path = `/tenants/edit/${await idOf('Resting')}`
    const sent = { ...initech, name: 'Rested', status: 'inactive' }
    const asked = await (await sofia.submit(path, { ...sent, lock_version: '0' })).text()
    for (const words of [
      'inactive?',
      'Its people are logged out at once',
      'Yes, make it inactive',
      'value="Rested"',
    ])
      expect(asked).toContain(words)
    expectLook(asked)
    const again = 'Please choose the logo again'
    expect(asked).not.toContain(again)
    const logo = new File([new Uint8Array(9)], 'logo.png', { type: 'image/png' })
    const withLogo = await sofia.submit(path, { ...sent, lock_version: '0', logo })
    expect(await withLogo.text()).toContain(again)
    expect(await html(sofia, path)).toContain('Edit Resting')
    const agreed = { ...sent, lock_version: '0', confirmed: hidden(asked, 'confirmed') }
    expect(isAt(await sofia.submit(path, agreed))).toEqual([302, '/tenants'])
    expect(isAt(await sofia.submit(path, { ...sent, plan: 'Gold' }))).toEqual([302, '/tenants'])
    expect(isAt(await sofia.submit(path, { ...sent, status: 'active' }))).toEqual([302, '/tenants'])
  })

  it('or a sub-tenant is created once by a form that is sent twice', async () => {
    const twice = { ...initech, name: 'Pressed twice', __key__: randomUUID() }
    for (const _ of [1, 2]) expect(isAt(await sofia.submit('/tenants/add', twice))).toEqual([302, '/tenants'])
    const part = { name: 'Pressed twice', status: 'active', __key__: randomUUID() }
    for (const _ of [1, 2])
      expect(isAt(await adam.submit('/subtenants/add', part))).toEqual([302, '/subtenants'])
  })

  it('is restored from the list of deleted tenants, which says why when it cannot be', async () => {
    await sofia.submit('/tenants/add', { ...initech, name: 'Regretted' })
    const id = await idOf('Regretted')
    await sofia.submit(`/tenants/edit/${id}?delete=true`, { intent: 'delete' })
    expect(await html(sofia, '/tenants')).not.toContain('Regretted')
    const list = await html(sofia, '/tenants/deleted')
    expect(list).toContain('Restore<span class="hidden-words"> <!-- -->Regretted')
    expect(list).toContain('Removed for good')
    expect(await html(sofia, `/tenants/${await idOf('Northwind Logistics')}/subtenants/deleted`)).toContain(
      'Search deleted sub-tenants of Northwind Logistics',
    )
    const none = await html(sofia, '/tenants/deleted?q=zzz')
    expect(none).toContain('Nothing here')
    expect(none.replace(/<script.*?<\/script>/gs, '').split('can be restored for 30 days.')).toHaveLength(2)
    expect(isAt(await sofia.visit('/tenants?deleted=true&q=zzz'))).toEqual([302, '/tenants/deleted?q=zzz'])
    await sofia.submit('/tenants/add', { ...initech, name: 'Regretted' })
    const refused = await sofia.follow(await sofia.submit('/tenants/deleted', { intent: 'restore', id }))
    expect([refused.path, refused.html.includes('Another tenant already has this name.')]).toEqual([
      '/tenants/deleted',
      true,
    ])
    await sofia.submit(`/tenants/edit/${await idOf('Regretted')}?delete=true`, { intent: 'delete' })
    const back = await sofia.follow(await sofia.submit('/tenants/deleted', { intent: 'restore', id }))
    expect(back.path).toBe(`/tenants/edit/${id}`)
    expect(back.html).toContain('Regretted is inactive until you set it to active.')
    const twice = await sofia.follow(await sofia.submit('/tenants/deleted', { intent: 'restore', id }))
    expect([twice.path, twice.html.includes('Already restored')]).toEqual([`/tenants/edit/${id}`, true])
    for (const wrong of ['x', '0b8f1f6e-5f0e-4b0a-9a51-0f0f0f0f0f0f'])
      expect((await sofia.submit('/tenants/deleted', { intent: 'restore', id: wrong })).status).toBe(404)
  })
})

/** The question has the styles of forms, and loads no stylesheet of another area. */
function expectLook(page: string): void {
  const sheets = [...page.matchAll(/\/assets\/[\w-]+\.css/g)].map(([path]) => path)
  expect(sheets.some((path) => readFileSync(`build/client${path}`, 'utf8').includes('.impact,'))).toBe(true)
  expect(page).not.toContain('/assets/journeys-')
}

describe('Sub-tenants', () => {
  it('cannot be added to a single tenant', async () => {
    await sofia.submit('/tenants/add', { ...initech, name: 'Alone', customer_type: 'Single Tenant' })
    const id = await idOf('Alone')
    expect(isAt(await sofia.visit(`/tenants/${id}/subtenants/add`))).toEqual([302, `/tenants/edit/${id}`])

    const grace = await site.visitor('grace@harbor.example')
    expect(isAt(await grace.visit('/subtenants/add'))).toEqual([302, '/subtenants'])
    expect(await html(grace, '/subtenants')).not.toContain('/subtenants/add')
    expect(await html(adam, '/subtenants')).toContain('/subtenants/add')
  })

  it('are restored by administrators and super admins, not by users', async () => {
    await adam.submit('/subtenants/add', { name: 'Regretted part', status: 'active' })
    const edit = /\/subtenants\/([0-9a-f-]{36})\/edit/.exec(await html(adam, '/subtenants?q=regretted'))
    const id = edit?.[1] ?? ''
    await adam.submit(`/subtenants/${id}/edit?delete=true`, { intent: 'delete' })
    expect(isAt(await adam.visit('/subtenants?deleted=true'))).toEqual([302, '/subtenants/deleted'])
    expect(await html(adam, '/subtenants/deleted')).toContain('Regretted part')
    const uri = await site.visitor('uri@northwind.example')
    expect((await uri.submit('/subtenants/deleted', { intent: 'restore', id })).status).toBe(403)
    const back = await adam.follow(await adam.submit('/subtenants/deleted', { intent: 'restore', id }))
    expect([back.path, back.html.includes('Regretted part')]).toEqual([`/subtenants/${id}/edit`, true])
    await adam.submit(`/subtenants/${id}/edit?delete=true`, { intent: 'delete' })
    const list = await html(sofia, '/tenants?q=northwind')
    const base = /\/tenants\/[0-9a-f-]{36}\/subtenants/.exec(list)?.[0] ?? ''
    expect(isAt(await sofia.visit(`${base}?deleted=true`))).toEqual([302, `${base}/deleted`])
    expect(await html(sofia, `${base}/deleted`)).toContain('Regretted part')
    const mine = await sofia.submit(`${base}/deleted`, { intent: 'restore', id })
    expect(isAt(mine)).toEqual([302, `${base}/${id}/edit`])
  })

  it('are added, edited and deleted by a super admin outside the tenant', async () => {
    await sofia.submit('/tenants/add', { ...initech, name: 'Parts Inc' })
    const base = `/tenants/${await idOf('Parts Inc')}/subtenants`
    expect(await html(sofia, base)).toContain(`href="/tenants/edit/${await idOf('Parts Inc')}"`)
    expect(isAt(await sofia.submit(`${base}/add`, { name: 'Parts North', status: 'active' }))).toEqual([
      302,
      base,
    ])
    const list = await html(sofia, `${base}/`)
    const edit = new RegExp(`${base}/[0-9a-f-]{36}/edit`).exec(list)?.[0] ?? ''
    const change = { name: 'Parts South', status: 'inactive', lock_version: '0' }
    const asked = await (await sofia.submit(edit, change)).text()
    for (const words of [
      'Nobody can enter it, and its journeys send nothing',
      'Yes, make it inactive',
      'value="Parts South"',
    ])
      expect(asked).toContain(words)
    expectLook(asked)
    expect(await html(sofia, base)).toContain('Parts North')
    const agreed = { ...change, confirmed: hidden(asked, 'confirmed') }
    expect(isAt(await sofia.submit(edit, agreed))).toEqual([302, base])
    expect((await sofia.submit(edit, { name: 'Late', status: 'active', lock_version: '0' })).status).toBe(409)
    expect(await html(sofia, base)).toContain('Parts South')
    expect(isAt(await sofia.submit(`${edit}?delete=true`, { intent: 'delete' }))).toEqual([302, base])
  })

  it('are added by administrators, and refused to users', async () => {
    expect(isAt(await adam.submit('/subtenants/add', { name: 'East', status: 'active' }))).toEqual([
      302,
      '/subtenants',
    ])
    expect(await html(adam, '/subtenants?q=east')).toContain('East')
    expect((await adam.submit('/subtenants/add', { name: 'eAST', status: 'active' })).status).toBe(409)
    const uri = await site.visitor('uri@northwind.example')
    expect((await uri.visit('/subtenants/add')).status).toBe(403)
    expect((await uri.submit('/subtenants/add', { name: 'Mine', status: 'active' })).status).toBe(403)
  })

  it('are entered and left by an administrator', async () => {
    const list = await html(adam, '/subtenants')
    const id = hidden(list, 'sub_tenant_id')
    expect(isAt(await adam.submit('/subtenants', { intent: 'enter_sub_tenant', sub_tenant_id: id }))).toEqual(
      [302, '/'],
    )
    expect((await adam.visit('/subtenants/add')).status).toBe(403)
    expect(isAt(await adam.submit('/subtenants', { intent: 'leave_sub_tenant' }))).toEqual([
      302,
      '/subtenants',
    ])
    for (const wrong of ['', 'x', '0b8f1f6e-5f0e-4b0a-9a51-0f0f0f0f0f0f'])
      expect(isAt(await adam.submit('/subtenants', { sub_tenant_id: wrong }))).toEqual([302, '/subtenants'])
  })

  it('are chosen first by an administrator of several', async () => {
    const eva = await site.visitor('eva@northwind.example')
    expect(isAt(await eva.visit('/'))).toEqual([302, '/subtenants'])
    const id = hidden(await html(eva, '/subtenants'), 'sub_tenant_id')
    expect(isAt(await eva.submit('/subtenants', { sub_tenant_id: id }))).toEqual([302, '/'])
    expect((await eva.visit('/')).status).toBe(200)
  })
})

describe('Going to the platform', () => {
  it('asks for a reason, starts a session inside the tenant, and ends with a return', async () => {
    const visitor = await site.visitor('sofia@liftwell.example')
    const before = visitor.cookies.get('__Host-liftwell')
    const tenant_id = await idOf('Northwind Logistics')
    const place = { intent: 'impersonate', tenant_id }
    expect(isAt(await visitor.submit('/tenants', place))).toEqual([302, `/switch?place=${tenant_id}`])
    expect(isAt(await visitor.submit('/tenants', { ...place, reason: 'Asked for help' }))).toEqual([302, '/'])
    expect(visitor.cookies.get('__Host-liftwell')).not.toBe(before)
    expect(await html(visitor, '/settings/company')).toContain('are working inside')
    expect(isAt(await visitor.visit('/tenants'))).toEqual([302, '/users'])
    expect(isAt(await visitor.submit('/tenants', { intent: 'stop_impersonating' }))).toEqual([
      302,
      '/tenants',
    ])
    expect((await visitor.visit('/tenants')).status).toBe(200)
  })

  it('is refused for tenants that cannot be entered, and to administrators', async () => {
    for (const tenant_id of ['', 'x', await idOf('Bluepeak Retail')])
      expect(
        isAt(await sofia.submit('/tenants', { intent: 'impersonate', tenant_id, reason: 'Curious' })),
      ).toEqual([302, '/tenants'])
    const tenant_id = await idOf('Harbor Health')
    expect(isAt(await adam.submit('/tenants', { intent: 'impersonate', tenant_id }))).toEqual([403, null])
    expect(await html(adam, '/settings/company')).toContain('Northwind Logistics')
  })
})
