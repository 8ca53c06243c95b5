/** Company settings, and a person's own settings: without JavaScript. */
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withAdmin } from '#tests/support/postgres.ts'
import { openSite, type Site } from '#tests/support/site.ts'
import type { Visitor } from '#tests/support/visitor.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site?.close())

/** The code in the latest message to a recipient, once it was sent. */
const codeTo = (recipient: string): Promise<string> =>
  withAdmin(site.adminUrl, async (client) => {
    const find = async () => {
      const { rows } = await client.query('select body from outbox_messages where recipient = $1', [
        recipient,
      ])
      return /\b\d{6}\b/.exec(rows.at(-1)?.body ?? '')?.[0] ?? ''
    }
    await expect.poll(find, { timeout: 15_000 }).not.toBe('')
    return find()
  })

async function withoutZone(email: string): Promise<void> {
  await withAdmin(site.adminUrl, (client) =>
    client.query('update users set timezone = null where email = $1', [email]),
  )
}

const isAt = (response: Response) => [response.status, response.headers.get('location')]
const html = async (visitor: Visitor, path: string) => (await visitor.visit(path)).text()
const hidden = (page: string, name: string) =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? ''
const fieldErrors = (page: string) =>
  [...page.matchAll(/class="field-errors".*?<span>([^<]*)</gs)].map(([, words]) => words)

const HOURS = { 'quiet_hours.from': '20:00', 'quiet_hours.to': '09:00' }

describe('Company settings', () => {
  const company = {
    name: 'Harbor Health',
    categories: 'Care\r\n\r\nSafety\r\ncare',
    timezone: 'Europe/Kiev',
    ...HOURS,
  }

  it('are saved by an administrator, with a logo that can be removed', async () => {
    const grace = await site.visitor('grace@harbor.example')
    const lock_version = hidden(await html(grace, '/settings/company'), 'lock_version')
    const bytes = await sharp({ create: { width: 40, height: 40, channels: 3, background: '#c33' } })
      .jpeg()
      .toBuffer()
    const logo = new File([new Uint8Array(bytes)], 'us.jpg', { type: 'image/jpeg' })
    const change = { ...company, lock_version, logo, authors_may_create_drafts: 'on' }
    expect(isAt(await grace.submit('/settings/company', change))).toEqual([302, '/settings/company'])

    const page = await html(grace, '/settings/company')
    expect(page).toContain('Company settings saved')
    expect(page).toContain('Care\nSafety</textarea>')
    expect(page).toMatch(/<option value="Europe\/Kyiv" selected=""/)
    const src = /class="logo-preview" src="([^"]+)"/.exec(page)?.[1] ?? ''
    expect((await grace.visit(src)).headers.get('content-type')).toBe('image/webp')

    const next = hidden(page, 'lock_version')
    await grace.submit('/settings/company', { ...company, lock_version: next, remove_logo: 'on' })
    expect((await grace.visit(src)).status).toBe(404)
  })

  it('say at the field what is wrong, and show both versions of an outdated edit', async () => {
    const tess = await site.visitor('tess@testing.example')
    const page = await html(tess, '/settings/company')
    const mine = {
      name: 'Liftwell Testing',
      categories: '',
      timezone: 'UTC',
      ...HOURS,
      lock_version: hidden(page, 'lock_version'),
    }
    const zone = await tess.submit('/settings/company', { ...mine, timezone: 'Mars/Base' })
    expect([zone.status, fieldErrors(await zone.text())]).toEqual([400, ['There is no such time zone']])
    const name = await tess.submit('/settings/company', { ...mine, name: 'Northwind Logistics' })
    expect([name.status, fieldErrors(await name.text())]).toEqual([
      409,
      ['Another tenant already has this name.'],
    ])

    await tess.submit('/settings/company', { ...mine, name: 'Theirs' })
    const stale = await tess.submit('/settings/company', { ...mine, name: 'Mine' })
    expect(stale.status).toBe(409)
    expect(await stale.text()).toMatch(/<td>Theirs<\/td><td>Mine<\/td>/)
  })

  it('mention sub-tenants only to a company that can have them', async () => {
    const words = async (email: string) =>
      (await html(await site.visitor(email), '/settings/company')).match(/[^<>"]*ub-tenants[^<>"]*\./g)
    expect(await words('adam@northwind.example')).toEqual([
      expect.stringContaining('Sub-tenants can have longer quiet hours, not shorter ones.'),
      'Apply to all sub-tenants. Sub-tenants can override drafts and require a second factor.',
      'Administrators, including those of sub-tenants, must set up an authenticator app at their next sign-in.',
    ])
    expect(await words('grace@harbor.example')).toBeNull()
  })

  it('stop all messages or limit them per day, and refuse unknown fields', async () => {
    const grace = await site.visitor('grace@harbor.example')
    const form = async (more: Record<string, string>) => {
      const lock_version = hidden(await html(grace, '/settings/company'), 'lock_version')
      return grace.submit('/settings/company', { ...company, ...more, lock_version })
    }
    const wrong = await form({ daily_message_cap: 'many' })
    const page = await wrong.text()
    expect([wrong.status, fieldErrors(page)]).toEqual([400, ['Please enter a number']])
    expect(page.replaceAll('<!-- -->', '')).toContain('Daily message limit: Please enter a number')
    expect(isAt(await form({ daily_message_cap: '250', sending_stopped: 'on' }))).toEqual([
      302,
      '/settings/company',
    ])
    const saved = await html(grace, '/settings/company')
    expect(saved).toMatch(/name="daily_message_cap"[^>]*value="250"|value="250"[^>]*name="daily_message_cap"/)
    expect(saved).toMatch(/name="sending_stopped"[^>]*checked=""/)
    await form({})
    const free = await html(grace, '/settings/company')
    expect(free).not.toContain('value="250"')
    expect(free).not.toMatch(/name="sending_stopped"[^>]*checked=""/)

    const unknown = await form({ name: 'Renamed', plan: 'Gold' })
    expect([unknown.status, await unknown.text()]).toEqual([
      400,
      expect.stringContaining('This form has no field “plan”.'),
    ])
    expect(await html(grace, '/settings/company')).toContain('value="Harbor Health"')
    const zone = await form({ timezone: '' })
    expect([zone.status, fieldErrors(await zone.text())]).toEqual([400, ['This field is required']])
  })

  it.each(['aya@northwind.example', 'uri@northwind.example'])('are refused to %s', async (email) => {
    const visitor = await site.visitor(email)
    expect((await visitor.visit('/settings/company')).status).toBe(403)
    expect(
      (await visitor.submit('/settings/company', { name: 'Mine', timezone: 'UTC', lock_version: '0' }))
        .status,
    ).toBe(403)
  })
})

describe('A person’s own settings', () => {
  it('save names and the time zone, and refuse an outdated edit', async () => {
    const uri = await site.visitor('uri@northwind.example')
    const lock_version = hidden(await html(uri, '/settings/profile'), 'lock_version')
    const profile = { first_name: 'Uriel', last_name: 'O’Neil <b>', job_title: 'Clerk', lock_version }
    const right = { ...profile, timezone: 'Asia/Calcutta' }
    expect(isAt(await uri.submit('/settings/profile', right))).toEqual([302, '/settings/profile'])
    const page = await html(uri, '/settings/profile')
    expect(page).toContain('value="Uriel"')
    expect(page).toContain('O’Neil &lt;b&gt;')
    expect(page).toMatch(/<option value="Asia\/Kolkata" selected=""/)
    expect(page).toMatch(/<dt>Company<\/dt><dd>Northwind Logistics/)
    expect((await uri.submit('/settings/profile', { ...right, first_name: 'Late' })).status).toBe(409)
  })

  it('are five pages with the same tabs, of which the current one is marked', async () => {
    const uri = await site.visitor('uri@northwind.example')
    const pages = ['profile', 'contact', 'privacy', 'security', 'sessions'].map((name) => `/settings/${name}`)
    for (const path of pages) {
      const [, tabs = ''] =
        /<nav aria-label="Your settings".*?>(.*?)<\/nav>/s.exec(await html(uri, path)) ?? []
      const links = [...tabs.matchAll(/<a [^>]*>/g)].map(([link]) => link)
      expect([path, links.map((link) => /href="([^"]*)"/.exec(link)?.[1])]).toEqual([path, pages])
      expect(links.filter((link) => link.includes('aria-current="page"'))).toEqual([
        expect.stringContaining(`href="${path}"`),
      ])
    }
  })

  it('accept a new phone number only with password and code, and remove it with the password', async () => {
    const aya = await site.visitor('aya@northwind.example')
    const page = await html(aya, '/settings/profile')
    expect(page).not.toContain('name="phone_number"')
    expect(page).not.toContain('name="sms_opt_in"')
    const contact = '/settings/contact'
    const password = site.accounts.find(({ email }) => email === 'aya@northwind.example')?.password ?? ''
    const open = { intent: 'request', kind: 'phone', dial_code: '+31' }
    const ask = { ...open, password }
    for (const [given, why] of [
      [{}, 'Please enter your password'],
      [{ password: 'Wrong-password-1' }, 'Incorrect'],
    ] as const) {
      const refused = await aya.submit(contact, { ...open, ...given, phone_number: '06 1234 5679' })
      const shown = await refused.text()
      expect([refused.status, fieldErrors(shown)]).toEqual([422, [expect.stringContaining(why)]])
      expect(shown).toMatch(
        /name="phone_number"[^>]*value="06 1234 5679"|value="06 1234 5679"[^>]*name="phone_number"/,
      )
      expect(shown).not.toContain('Wrong-password-1')
    }
    const address = await aya.submit(contact, {
      ...{ intent: 'request', kind: 'email', value: 'aya.new@northwind.example' },
    })
    expect([address.status, fieldErrors(await address.text())]).toEqual([422, ['Please enter your password']])
    const wrong = await aya.submit(contact, { ...ask, phone_number: '12' })
    const again = await wrong.text()
    expect([wrong.status, fieldErrors(again)]).toEqual([422, ['Please enter a valid phone number']])
    expect(again).toMatch(/<option value="\+31" selected=""/)
    expect(again).toMatch(/name="phone_number"[^>]*value="12"|value="12"[^>]*name="phone_number"/)
    expect(isAt(await aya.submit(contact, { ...ask, phone_number: '06 1234 5679' }))).toEqual([302, contact])
    const asked = await html(aya, contact)
    expect(asked).toContain('No number on file.')
    expect(asked.indexOf('>Enter the code<')).toBeLessThan(asked.indexOf('New e-mail address'))
    expect(asked).not.toContain('up to 6 characters')
    const code = await codeTo('+31612345679')
    const guess = await aya.submit(contact, { intent: 'confirm', kind: 'phone', code: 'x' })
    expect([guess.status, fieldErrors(await guess.text())]).toEqual([422, ['The code has six digits']])
    expect(isAt(await aya.submit(contact, { intent: 'confirm', kind: 'phone', code }))).toEqual([
      302,
      contact,
    ])
    expect(await html(aya, contact)).toMatch(/\+31612345679<\/span><span [^>]*>Verified/)

    const profile = await html(aya, '/settings/profile')
    const form = { first_name: 'Aya', last_name: 'Nakamura', lock_version: hidden(profile, 'lock_version') }
    await aya.submit('/settings/profile', { ...form, sms_opt_in: 'on', sms_opt_in_before: 'no' })
    expect(await html(aya, '/settings/profile')).toMatch(/name="sms_opt_in"[^>]*checked=""/)
    expect(isAt(await aya.visit(`${contact}?ask=remove`))).toEqual([302, `${contact}/remove`])
    expect(await html(aya, `${contact}/remove`)).toContain('Yes, remove')
    for (const [given, why] of [
      [{}, 'Please enter your password'],
      [{ password: 'Wrong-password-1' }, 'Incorrect'],
    ] as const) {
      const kept = await aya.submit(`${contact}/remove`, { ...given })
      const shown = await kept.text()
      expect([kept.status, fieldErrors(shown)]).toEqual([422, [expect.stringContaining(why)]])
      expect(shown).toContain('href="#password-remove"')
    }
    // Saving the form of a user does not remove the number either.
    const list = await html(aya, '/users?q=Nakamura')
    const own = /\/users\/edit\/\d+/.exec(list)?.[0] ?? ''
    expect((await aya.submit(own, { first_name: 'Aya', last_name: 'Nakamura' })).status).toBe(302)
    expect(await html(aya, contact)).toContain('+31612345679')
    expect(isAt(await aya.submit(`${contact}/remove`, { password }))).toEqual([302, contact])
    expect(await html(aya, contact)).toContain('No number on file.')
    expect(await html(aya, '/settings/privacy')).toContain('There is no number on file.')
  })

  it('say to the minute when the person signed in', async () => {
    const page = await html(await site.visitor('aya@northwind.example'), '/settings/sessions')
    expect(page).toMatch(/<time [^>]*>\w{3} \d{1,2}, \d{4}, \d{1,2}:\d\d\s[AP]M<\/time>/)
  })

  it.each(['sofia@liftwell.example', 'eva@northwind.example'])(
    'are open to %s, who is not in a tenant or sub-tenant yet',
    async (email) => {
      const visitor = await site.visitor(email)
      const names = ['profile', 'contact', 'privacy', 'sessions', 'privacy/data']
      for (const name of names)
        expect([name, (await visitor.visit(`/settings/${name}`)).status]).toEqual([name, 200])
    },
  )

  it('ask to accept the terms first, then lead to the page that was requested', async () => {
    const lena = await site.visitor('lena@testing.example')
    expect(await html(lena, '/settings/profile?verify=true')).not.toContain('name="timezone"')
    await withoutZone('lena@testing.example')
    const sent = await lena.visit('/todo?a=1')
    const wanted = encodeURIComponent('/todo?a=1')
    expect(isAt(sent)).toEqual([302, `/settings/profile?verify=true&redirect=${wanted}`])

    const path = sent.headers.get('location') ?? ''
    const page = await html(lena, path)
    expect(page).toContain('One step before you begin')
    expect(page).toContain('Please choose yours. Without one, that of the company is used (')
    expect(page).not.toMatch(/name="(first_name|last_name|job_title|department)"/)
    const refused = await lena.submit(path, { timezone: 'Europe/Oslo' })
    expect([refused.status, fieldErrors(await refused.text())]).toEqual([
      400,
      ['Please accept the terms and conditions'],
    ])

    const accepted = await lena.submit(path, { timezone: '', accept_terms_and_conditions: 'on' })
    expect(isAt(accepted)).toEqual([302, '/todo?a=1'])
    const gone = await (await lena.visit('/lift/999999')).text()
    expect(gone).toContain('Terms accepted')
    expect(gone).not.toContain('You can begin')
    expect((await lena.visit('/')).status).toBe(200)
    const later = await html(lena, '/settings/profile?verify=true')
    expect(later).not.toContain('One step before you begin')
    expect(later).toContain('The time zone of the company (')
  })

  it('name the sub-tenant or company whose time zone applies', async () => {
    const email = 'adam@northwind.example'
    const adam = await site.visitor(email)
    await withoutZone(email)
    const parts = await html(adam, '/subtenants')
    const americas = /\/subtenants\/([0-9a-f-]{36})\/edit[^>]*>(?:(?!<a ).)*Northwind Americas/s.exec(
      parts,
    )?.[1]
    await adam.submit('/subtenants', { intent: 'enter_sub_tenant', sub_tenant_id: americas ?? '' })
    const inside = await html(adam, '/settings/profile')
    expect(inside).toContain('The time zone of Northwind Americas (America/Chicago).')
    expect(inside).toContain('As Northwind Americas (America/Chicago)')
    await adam.submit('/subtenants', { intent: 'leave_sub_tenant' })
    expect(await html(adam, '/settings/profile')).toContain(
      'The time zone of the company (Europe/Amsterdam).',
    )
  })

  it('do not redirect to another site', async () => {
    const ravi = await site.visitor('ravi@testing.example')
    const accepted = { accept_terms_and_conditions: 'on' }
    const response = await ravi.submit('/settings/profile?verify=true&redirect=//evil.example/', accepted)
    expect(isAt(response)).toEqual([302, '/'])
  })
})
