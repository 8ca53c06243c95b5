/** Switching between tenants and sub-tenants: without JavaScript. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asAdmin } from '#tests/support/postgres.ts'
import { openSite, type Site } from '#tests/support/site.ts'
import type { Visitor } from '#tests/support/visitor.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site?.close())

const SESSION = '__Host-liftwell'
const isAt = (response: Response) => [response.status, response.headers.get('location')]
const html = async (visitor: Visitor, path: string) => (await visitor.visit(path)).text()

/** The radio buttons of a page: their labels, and whether they can be selected. */
const radios = (page: string) =>
  [...page.matchAll(/<input type="radio"([^>]*)\/>\s*<span>([^<]*)<\/span>/g)].map(
    ([, attributes = '', name]) => ({
      name,
      place: /value="([^"]*)"/.exec(attributes)?.[1] ?? '',
      isOff: attributes.includes('disabled'),
      isChosen: attributes.includes('checked'),
    }),
  )
const placeOf = (page: string, name: string) => radios(page).find((one) => one.name === name)?.place ?? ''

const onStage = (statement: string) => asAdmin(site.adminUrl, statement)

/** The place for which the forms of a page were rendered. */
const markOf = (page: string) => /name="__place__" value="([^"]*)"/.exec(page)?.[1] ?? ''

describe('A switch that is sent twice', () => {
  it('leads to the tenant both times, and its form then no longer leads to another one', async () => {
    const sofia = await site.visitor('sofia@liftwell.example')
    const page = await html(sofia, '/switch')
    const form = { __place__: markOf(page), place: placeOf(page, 'Harbor Health'), reason: 'A call' }
    expect(form.__place__).not.toBe('')
    for (let press = 0; press < 2; press += 1)
      expect(isAt(await sofia.submit('/switch', form))).toEqual([302, '/'])
    const other = { ...form, place: placeOf(page, 'Northwind Logistics') }
    expect((await sofia.submit('/switch', other)).status).toBe(409)
  })
})

describe('The tenant switcher', () => {
  it('lists tenants and sub-tenants, disables those that cannot be entered, and can be searched', async () => {
    const sofia = await site.visitor('sofia@liftwell.example')
    const page = await html(sofia, '/switch')
    const shown = radios(page)
    expect(shown.find(({ name }) => name === 'Northwind Europe')?.isOff).toBe(false)
    expect(shown.find(({ name }) => name === 'Bluepeak Retail')?.isOff).toBe(true)
    expect(shown.some(({ name }) => name === 'Liftwell')).toBe(false)
    const found = radios(await html(sofia, '/switch?q=NORTHWIND%20eur'))
    expect(found.map(({ name }) => name)).toEqual(['Northwind Logistics', 'Northwind Europe'])
    expect(await html(sofia, '/switch?q=zzz')).toContain('No results')
    const place = placeOf(page, 'Harbor Health')
    expect(radios(await html(sofia, `/switch?place=${place}`)).find((one) => one.isChosen)?.name).toBe(
      'Harbor Health',
    )
  })

  it('requires a place and a reason, and keeps what was typed', async () => {
    const sofia = await site.visitor('sofia@liftwell.example')
    const choices = await html(sofia, '/switch')
    expect(choices).toContain('Work inside a company, or one of its sub-tenants, as its administrator')
    const place = placeOf(choices, 'Harbor Health')
    const nowhere = await sofia.submit('/switch', { reason: 'A call from Grace' })
    expect(nowhere.status).toBe(400)
    const page = await nowhere.text()
    expect(page).toContain('Choose where to go')
    expect(page).toContain('value="A call from Grace"')
    const why = await sofia.submit('/switch', { place, reason: '  ' })
    expect(why.status).toBe(400)
    const again = await why.text()
    expect(again).toContain('This field is required')
    expect(radios(again).find((one) => one.isChosen)?.name).toBe('Harbor Health')
  })

  it('enters, switches and leaves with a new session each time, and the company’s log shows who it was, and until when', async () => {
    const sofia = await site.visitor('sofia@liftwell.example')
    const ids = [sofia.cookies.get(SESSION)]
    const page = await html(sofia, '/switch')
    const go = async (name: string, reason: string) => {
      expect(isAt(await sofia.submit('/switch', { place: placeOf(page, name), reason }))).toEqual([302, '/'])
      ids.push(sofia.cookies.get(SESSION))
    }
    await go('Harbor Health', 'A call from Grace')
    const banner = await html(sofia, '/settings/company')
    expect(banner).toMatch(
      /are working inside[\s\S]*?<strong>Harbor Health<\/strong>[\s\S]*?until[\s\S]*?[AP]M/,
    )
    expect(banner).toContain('SuperAdmin')
    expect(banner).not.toContain('href="/subtenants"')
    const same = await sofia.submit('/switch', { place: placeOf(page, 'Harbor Health'), reason: 'x' })
    expect([same.status, await same.text()]).toEqual([409, expect.stringContaining('You are there already.')])

    await go('Northwind Logistics', 'A question about its parts')
    expect(await html(sofia, '/settings/company')).toContain('href="/subtenants"')

    await go('Northwind Europe', 'A question about Europe')
    expect(await html(sofia, '/settings/company')).toMatch(
      /<strong>Northwind Logistics, Northwind Europe<\/strong>/,
    )
    expect(await html(sofia, '/settings/profile')).toContain('<dd>Liftwell</dd>')
    expect(isAt(await sofia.submit('/tenants', { intent: 'stop_impersonating' }))).toEqual([302, '/tenants'])
    ids.push(sofia.cookies.get(SESSION))
    expect(new Set(ids).size).toBe(5)
    expect((await sofia.visit('/tenants')).status).toBe(200)

    const grace = await site.visitor('grace@harbor.example')
    const log = await html(grace, '/settings/audit?action=impersonation')
    expect(log).toContain('A call from Grace')
    expect(log).toContain('sofia@liftwell.example')
    expect(log).toMatch(/<dt>ends at<\/dt><dd>[^<]*, \d+:\d\d:\d\d\s[AP]M<\/dd>/)
    expect(log).not.toContain('A question about Europe')
    const file = await grace.visit('/settings/audit/export?action=impersonation.started')
    expect(file.headers.get('content-type')).toContain('text/csv')
    expect(await file.text()).toContain('A call from Grace')
  })

  it('is logged in the entered sub-tenant with the super admin’s e-mail address, without the name', async () => {
    const sofia = await site.visitor('sofia@liftwell.example')
    const page = await html(sofia, '/switch')
    const visits = ['Northwind Europe', 'Northwind Americas']
    for (const name of visits)
      await sofia.submit('/switch', { place: placeOf(page, name), reason: `To see ${name}` })
    await sofia.submit('/tenants', { intent: 'stop_impersonating' })
    await sofia.submit('/switch', { place: placeOf(page, 'Northwind Europe'), reason: 'To stay' })
    await onStage("update sessions set impersonation_ends_at = now() where impersonation_reason = 'To stay'")
    await sofia.visit('/users')

    const eva = await site.visitor('eva@northwind.example')
    const parts = [...(await html(eva, '/subtenants')).matchAll(/name="sub_tenant_id" value="([^"]*)"/g)]
    const logs: Record<string, string[]> = {}
    for (const [, sub_tenant_id = ''] of parts) {
      await eva.submit('/subtenants', { sub_tenant_id })
      const own = visits.find((name) => placeOf(page, name).endsWith(sub_tenant_id)) ?? ''
      const file = await (await eva.visit('/settings/audit/export?action=sub_tenant&actor=sofia')).text()
      expect([own, file.includes(`To see ${own}`), file.includes('Sofia')]).toEqual([own, true, false])
      expect(file).toContain('sofia@liftwell.example')
      logs[own] =
        file
          .match(/sub_tenant\.(entered|left)/g)
          ?.slice()
          .reverse() ?? []
      const log = await html(eva, '/settings/audit?action=sub_tenant&actor=sofia')
      expect([log.includes('sofia@liftwell.example'), /Sofia [A-Z]/.test(log)]).toEqual([true, false])
      await eva.submit('/subtenants', { intent: 'leave_sub_tenant' })
    }
    const [came, went] = ['sub_tenant.entered', 'sub_tenant.left']
    expect(logs['Northwind Americas']).toEqual([came, went])
    expect(logs['Northwind Europe']?.slice(-4)).toEqual([came, went, came, went])
  })

  it('ends an impersonation when its time is up, says so, and logs it once', async () => {
    const sofia = await site.visitor('sofia@liftwell.example')
    const place = placeOf(await html(sofia, '/switch'), 'Liftwell Testing')
    await sofia.submit('/switch', { place, reason: 'Until it ends' })
    expect((await sofia.visit('/users')).status).toBe(200)
    await onStage(
      "update sessions set impersonation_ends_at = now() where impersonation_reason = 'Until it ends'",
    )
    const both = await Promise.all([sofia.visit('/users'), sofia.visit('/settings/company')])
    for (const answer of both) expect(answer.headers.get('location')).toMatch(/^\/tenants$/)
    const page = await html(sofia, '/tenants')
    expect(page).toContain('You have left the company')
    expect(page).not.toContain('are working inside')
    const tess = await site.visitor('tess@testing.example')
    const file = await tess.visit('/settings/audit/export?action=impersonation.ended')
    expect((await file.text()).match(/impersonation\.ended/g)).toHaveLength(1)
  })

  it('is hidden from a user, and shows an administrator no other company', async () => {
    const uri = await site.visitor('uri@northwind.example')
    expect(await html(uri, '/')).not.toContain('href="/switch"')
    const page = await html(await site.visitor('adam@northwind.example'), '/switch')
    expect(page).not.toContain('Harbor Health')
    const adam = await site.visitor('adam@northwind.example')
    const foreign = await adam.submit('/switch', { place: '6f9619ff-8b86-4d01-b42d-00cf4fc964ff' })
    expect(foreign.status).toBeGreaterThanOrEqual(400)
  })
})

describe('The sub-tenant switcher', () => {
  it('lets an administrator of several sub-tenants choose one, switch to another, and leave', async () => {
    const eva = await site.visitor('eva@northwind.example')
    expect(isAt(await eva.visit('/switch'))).toEqual([302, '/subtenants?redirect=%2Fswitch'])
    const choice = await html(eva, '/subtenants')
    expect(choice).not.toContain('href="/switch"')
    const first = /name="sub_tenant_id" value="([^"]*)"/.exec(choice)?.[1] ?? ''
    expect(isAt(await eva.submit('/subtenants', { sub_tenant_id: first }))).toEqual([302, '/'])
    expect(await html(eva, '/')).toContain('href="/switch"')

    // The button of the current place is disabled.
    const ways = [...(await html(eva, '/subtenants')).matchAll(/<form.*?<\/form>/gs)].flatMap(([form]) => {
      const [, id] = /name="sub_tenant_id" value="([^"]*)"/.exec(form) ?? []
      return id ? [{ isHere: id === first, isOff: /<button[^>]*\sdisabled=""/.test(form) }] : []
    })
    expect(ways).toContainEqual({ isHere: true, isOff: true })
    expect(ways.filter(({ isHere, isOff }) => isHere !== isOff)).toEqual([])

    const page = await html(eva, '/switch')
    const here = [...page.matchAll(/<li>(.*?)<\/li>/gs)].flatMap(([, one = '']) =>
      one.includes('You are here') ? [one.includes(first)] : [],
    )
    expect(here).toEqual([true])
    expect(
      radios(page)
        .map(({ name }) => name)
        .sort(),
    ).toEqual(['Northwind Americas', 'Northwind Europe'])
    expect(page).not.toContain('name="reason"')
    const other = radios(page).find(({ place }) => !place.endsWith(first))
    expect(isAt(await eva.submit('/switch', { place: other?.place ?? '' }))).toEqual([302, '/'])
    expect(await html(eva, '/')).toContain(`title="${other?.name}"`)
    const again = await eva.submit('/switch', { place: other?.place ?? '' })
    expect([again.status, await again.text()]).toEqual([
      409,
      expect.stringContaining('You are there already.'),
    ])
    expect(isAt(await eva.submit('/subtenants', { intent: 'leave_sub_tenant' }))).toEqual([
      302,
      '/subtenants',
    ])
    expect(isAt(await eva.visit('/users?q=a'))).toEqual([302, '/subtenants?redirect=%2Fusers%3Fq%3Da'])
    expect(await html(eva, '/subtenants?redirect=%2Fusers%3Fq%3Da')).toContain(
      'name="redirect" value="/users?q=a"',
    )
    const chosen = { sub_tenant_id: first, redirect: '/users?q=a' }
    expect(isAt(await eva.submit('/subtenants', chosen))).toEqual([302, '/users?q=a'])
    await eva.submit('/subtenants', { intent: 'leave_sub_tenant' })
    const elsewhere = { sub_tenant_id: first, redirect: '//evil.example/' }
    expect(isAt(await eva.submit('/subtenants', elsewhere))).toEqual([302, '/'])
  })
})
