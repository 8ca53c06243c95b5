/**
 * The screens in front of another platform's server, which refuses everything outside section 7 of the specification.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { KeptSession } from '#app/auth/elsewhere/kept-session.ts'
import { openValue, readPieces, sealValue, writePieces } from '#app/auth/elsewhere/sealed-cookies.server.ts'
import { setSecret } from '#app/auth/seal.server.ts'
import { isFramed, read, send, words } from '#tests/elsewhere/reading.ts'
import type { Fault } from '#tests/elsewhere/server.ts'
import { openWebTier, SECRET, signIn, type Under, type WebTier } from '#tests/elsewhere/web-tier.ts'
import type { Kind } from '#tests/elsewhere/world.ts'
import { Visitor } from '#tests/support/visitor.ts'

const TENANT = { customer_type: 'Single Tenant', status: 'active', timezone: 'Europe/Madrid' }
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

describe.each<[Under, Kind]>([
  ['start', 'numbers'],
  ['serve:web', 'texts'],
])('Screens under npm run %s, with ids that are %s', (under, kind) => {
  let tier: WebTier
  let sol: Visitor
  beforeAll(async () => {
    tier = await openWebTier(under, kind)
    sol = await tier.visitor('Sol')
  })
  afterAll(() => tier?.close())
  afterEach(() => {
    tier.server.faults.clear()
    expect(tier.server.broken.splice(0)).toEqual([])
  })

  /** The address in a row's form. */
  const addressIn = (html: string, pattern: RegExp): string => {
    const found = pattern.exec(html)?.[1]?.replaceAll('&amp;', '&')
    if (!found) throw new Error(`nothing like ${pattern} in: ${words(html).slice(0, 500)}`)
    return found
  }
  const editOf = async (name: string) => {
    const { html } = await read(sol, `/tenants?q=${encodeURIComponent(name)}`)
    return addressIn(html, /href="(\/tenants\/edit\/[^"]+)"/)
  }

  it('list the tenants of the other server, sorted and paged by it', async () => {
    const first = await read(sol, '/tenants')
    expect(first.status).toBe(200)
    expect(first.page).toContain('Acme Platform')
    expect(first.page).toContain('Nov 20, 2026')
    expect(first.page).toContain('Page 1 of 3')
    expect(first.page, 'what it does not count').not.toContain('Running LLJs')
    expect((await read(sol, '/tenants?page=3')).page).toContain('Page 3 of 3')
    expect((await read(sol, '/tenants?order=name%3Aasc')).page).toMatch(/Acme Platform.*Borealis.*Cumulus/)
  })

  it('find tenants by their names and those of their sub-tenants', async () => {
    expect((await read(sol, '/tenants?q=SOUTH')).page).toMatch(/Acme Platform(?!.*Borealis)/)
    expect((await read(sol, '/tenants?q=nobody')).page).toContain(
      'No tenants or sub-tenants match this search.',
    )
  })

  it('add, change and delete a tenant', async () => {
    const logo = new File([PNG], 'logo.png', { type: 'image/png' })
    const admin = {
      'admins[0].first_name': 'Eve',
      'admins[0].last_name': 'Lund',
      'admins[0].email': 'eve@x.example',
    }
    const added = await send(sol, '/tenants/add', {
      ...TENANT,
      ...admin,
      name: 'Dune & Sons',
      llj_categories: 'One\nTwo',
      logo,
    })
    expect([added.first, added.end]).toEqual([302, '/tenants'])
    const stored = tier.server.world.tenants.find(({ name }) => name === 'Dune & Sons')
    expect(stored).toMatchObject({
      categories: ['One', 'Two'],
      timezone: 'Europe/Madrid',
      logo: { base64: PNG.toString('base64'), file_name: 'logo.png', file_type: 'image/png' },
      admins: [{ first_name: 'Eve', last_name: 'Lund', email: 'eve@x.example' }],
    })

    const again = await send(sol, '/tenants/add', { ...TENANT, name: 'Dune & Sons', industry: 'Sand' })
    expect(again.first).toBe(409)
    expect(again.page).toContain('There is one of that name.')
    expect(again.html).toContain('value="Sand"')

    const edit = await editOf('Dune')
    const opened = await read(sol, edit)
    expect(opened.status).toBe(200)
    expect(opened.html).toContain('value="Dune &amp; Sons"')
    const [path = ''] = edit.split('?')
    expect((await send(sol, path, { ...TENANT, name: 'Dune', plan: 'Silver' })).first).toBe(302)
    expect(stored).toMatchObject({ name: 'Dune', plan: 'Silver', categories: [] })
    expect((await send(sol, path, { intent: 'delete' })).first).toBe(302)
    expect(tier.server.world.tenants).not.toContain(stored)
    expect((await read(sol, path)).page).toContain('Not Found')
  })

  it('add, change and delete a sub-tenant', async () => {
    const edit = await editOf('Acme')
    const list = addressIn((await read(sol, edit)).html, /href="(\/tenants\/[^"]+\/subtenants)"/)
    expect((await read(sol, list)).page).toMatch(/North.*South.*Closed/)
    expect((await read(sol, `${list}?q=sou`)).page).toMatch(/South(?!.*North)/)
    const added = await send(sol, `${list}/add`, { name: 'West', status: 'active', categories: 'Sea' })
    expect([added.first, added.end]).toEqual([302, list])
    const path = addressIn(
      (await read(sol, `${list}?q=west`)).html,
      /href="(\/tenants\/[^"]+\/subtenants\/[^"?]+\/edit)/,
    )
    expect((await read(sol, path)).html).toContain('value="West"')
    const change = { name: 'Wild West', status: 'inactive', timezone: 'UTC' }
    expect((await send(sol, path, change)).first).toBe(200)
    expect((await send(sol, path, { ...change, confirmed: 'inactive' })).first).toBe(302)
    expect(tier.server.world.tenants[0]?.sub_tenants?.at(-1)).toMatchObject({
      name: 'Wild West',
      status: 'inactive',
    })
    expect((await send(sol, path, { intent: 'delete' })).first).toBe(302)
    expect((await read(sol, list)).page).not.toContain('West')
  })

  it('send invitations again', async () => {
    const [path = ''] = (await editOf('Acme')).split('?')
    const { html, page } = await read(sol, path)
    expect(page).toContain('Invitations')
    const ids = [...html.matchAll(/name="user_ids"[^>]*value="([^"]+)"/g)].map(([, id]) => id ?? '')
    expect(ids).toHaveLength(2)
    expect((await send(sol, path, { intent: 'resend', user_ids: ids })).first).toBe(302)
    const admins = tier.server.world.tenants[0]?.admins as { id: unknown }[]
    expect(tier.server.world.welcomed.splice(0)).toEqual(admins.map(({ id }) => id))

    const ada = await tier.visitor('Ada')
    const person = await read(ada, `/users/edit/${ids[0]}`)
    expect([person.status, isFramed(person.html)]).toEqual([200, true])
    await send(ada, `/users/edit/${ids[0]}`, { intent: 'resend' })
    expect(tier.server.world.welcomed.splice(0)).toEqual([String(admins[0]?.id)])
  })

  it('enter a tenant and leave it, and refuse a tenant that cannot be entered', async () => {
    const visitor = await tier.visitor('Sol')
    const { html } = await read(visitor, '/switch')
    expect(words(html)).toMatch(/Acme Platform.*North.*Borealis/)
    const place = addressIn(html, /value="([^"/]+)"(?=[^<]*><span>Borealis)/)
    const inside = await send(visitor, '/switch', { place })
    expect([inside.first, inside.end, inside.status]).toEqual([302, '/', 200])
    expect(inside.page).toContain('working inside Borealis')
    expect(inside.page).not.toContain('logged under your name')
    const company = await read(visitor, '/settings/company')
    expect(company.html).toContain('value="Borealis"')
    expect(company.page).not.toContain('Quiet hours')
    const out = await send(visitor, '/tenants', { intent: 'stop_impersonating' })
    expect(out.end).toBe('/tenants')
    const closed = addressIn(
      (await read(visitor, '/switch?q=cumulus')).html,
      /value="([^"/]+)"(?=[^<]*><span>Cumulus)/,
    )
    expect((await send(visitor, '/switch', { place: closed })).page).toContain(
      'This tenant cannot be entered.',
    )
  })

  it('save the settings of a company, and of the sub-tenant that its administrator chose', async () => {
    const ada = await tier.visitor('Ada')
    const form = await read(ada, '/settings/company')
    expect(form.html).toContain('value="Acme Platform"')
    const acme = tier.server.world.tenants[0]
    const settled = { name: 'Acme World', categories: 'Safety', timezone: 'UTC' }
    expect((await send(ada, '/settings/company', settled)).first).toBe(302)
    expect(acme).toMatchObject({ name: 'Acme World', categories: ['Safety'], timezone: 'UTC' })
    await send(ada, '/settings/company', { ...settled, name: 'Acme Platform' })

    const nina = await tier.visitor('Nina')
    const choosing = await read(nina, '/')
    expect(choosing.end).toBe('/subtenants')
    expect(choosing.page).toMatch(/North.*South/)
    const id = addressIn(choosing.html, /name="sub_tenant_id" value="([^"]+)"/)
    expect((await send(nina, '/subtenants', { intent: 'enter_sub_tenant', sub_tenant_id: id })).end).toBe('/')
    expect((await read(nina, '/settings/company')).html).toContain('value="North"')
    expect((await send(nina, '/settings/company', { name: 'North', categories: 'Snow' })).first).toBe(302)
    expect(acme?.sub_tenants?.[0]).toMatchObject({ name: 'North', categories: ['Snow'] })
    expect((await send(nina, '/subtenants', { intent: 'leave_sub_tenant' })).end).toBe('/subtenants')
  })

  it('show notifications, mark them as read and delete them', async () => {
    const ada = await tier.visitor('Ada')
    const list = await read(ada, '/notifications')
    expect(list.page).toMatch(/Journey launched.*Old news/)
    expect(list.page).toContain('View More')
    expect((await read(ada, '/notifications?page=2')).page).toContain('Note 10')
    const ids = [...list.html.matchAll(/name="id" value="([^"]+)"/g)].map(([, id]) => id ?? '')
    await send(ada, '/notifications', { intent: 'read_all' })
    expect(tier.server.world.notifications[0]?.has_read).toBe(true)
    const gone = tier.server.world.notifications[1]
    tier.server.faults.set('DELETE /notifications/*', { status: 500 })
    const failed = await send(ada, '/notifications', { intent: 'delete', id: ids[1] ?? '' })
    expect(words(failed.html)).toContain('The notification could not be deleted. Please try again.')
    tier.server.faults.clear()
    await send(ada, '/notifications', {
      intent: 'delete',
      id: ids.find((id) => id.endsWith(String(gone?.id))) ?? ids[1] ?? '',
    })
    expect(tier.server.world.notifications.length).toBeLessThan(12)
  })

  it('send a test of a lift to phones, although they cannot show the lift', async () => {
    const ada = await tier.visitor('Ada')
    const page = await read(ada, '/lljs/5/lifts/8/test')
    expect([page.status, isFramed(page.html)]).toEqual([200, true])
    expect((await send(ada, '/lljs/5/lifts/8/test', { phones: '+34600111222' })).page).toContain('on its way')
    expect(tier.server.world.tests.splice(0)).toEqual([{ lift: '8', phones: ['+34600111222'] }])
  })

  it('say within their frame which pages the server does not offer', async () => {
    const ada = await tier.visitor('Ada')
    expect((await read(ada, '/')).page).toContain('Welcome, Ada')
    for (const path of [
      '/users',
      '/learner',
      '/todo',
      '/analytics',
      '/lljs/manage',
      '/settings/audit',
      '/settings/sessions',
      '/settings/privacy',
      '/settings/contact',
      '/settings/security',
      '/settings/company/keys',
      '/sponsors-journey/4',
    ]) {
      const { status, page, html } = await read(ada, path)
      expect([path, status, isFramed(html)]).toEqual([path, 404, true])
      expect(page).toContain('The server behind these pages does not offer this.')
    }
  })

  it('say where to accept the terms, and continue once they are accepted', async () => {
    const tom = await tier.visitor('Tom')
    const asked = await read(tom, '/')
    expect(asked.end).toMatch(/^\/settings\/profile\?verify=true/)
    expect(asked.page).toContain('Accept them where you got your account')
    expect(asked.html).not.toContain('Save and continue')
    const person = tier.server.world.people.find(({ first_name }) => first_name === 'Tom')
    Object.assign(person ?? {}, { accept_terms_and_conditions: true })
    expect((await read(tom, '/')).page).toContain('Welcome, Tom')
    expect((await read(tom, '/settings/profile')).page).toContain('You can change it there.')
    Object.assign(person ?? {}, { accept_terms_and_conditions: false })
  })

  it.each(['Dora', 'Ivo', 'Nobody'])(
    'refuse a person without access to the server: %s',
    async (first_name) => {
      const visitor = new Visitor(tier.origin)
      await tier.provider.addAccount(`sub-${first_name.toLowerCase()}`, {
        email: 'x@x.example',
        email_verified: true,
      })
      const { response, html } = await signIn(visitor, tier.provider, first_name)
      expect(response.status).toBe(403)
      expect(words(html)).toContain('This account has no access to Liftwell')
      expect(visitor.cookies.has('__Host-liftwell')).toBe(false)
    },
  )

  const HTML = '<html><body>Bad gateway</body></html>'
  const FAULTS: [string, Fault, string][] = [
    ...[400, 401, 402, 403, 404, 409, 418, 422, 429, 500, 502, 503, 504].map(
      (status): [string, Fault, string] => [
        String(status),
        { status, body: JSON.stringify({ has_error: true, status, detail: `It says ${status}.` }) },
        `It says ${status}.`,
      ],
    ),
    ['HTML with 200', { status: 200, body: HTML, type: 'text/html' }, 'API Error: HTTP 200'],
    ['HTML with 502', { status: 502, body: HTML, type: 'text/html' }, 'API Error: HTTP 502'],
    ['has_error with 200', { status: 200, body: '{"has_error":true,"status":409,"detail":"No."}' }, 'No.'],
    ['a detail of its own', { status: 422, body: '{"detail":{"code":7}}' }, '{"code":7}'],
    ['no detail', { status: 500, body: '{}' }, 'API Error: HTTP 500'],
    ['a redirect', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }, 'API Error: HTTP 302'],
    ['a cut connection', 'cut', 'There was an error with the request.'],
    ['silence', 'silence', 'There was an error with the request.'],
  ]

  it.each(FAULTS)('say within their frame that a list could not be loaded: %s', async (name, fault) => {
    tier.server.faults.set('GET /tenants', fault)
    const { status, page, html } = await read(sol, '/tenants')
    expect(status).toBeGreaterThanOrEqual(400)
    expect(isFramed(html)).toBe(true)
    const told =
      name === '403'
        ? 'No permission'
        : name === '404'
          ? 'Not available here'
          : name === '400'
            ? 'This could not be accepted'
            : 'There was an error, please try again later.'
    expect(page).toContain(told)
    expect(page).not.toContain('Bad gateway')
  })

  it.each(FAULTS)('say why a form was not saved, and keep what was typed: %s', async (name, fault, said) => {
    tier.server.faults.set('POST /tenants', fault)
    const { html, page } = await send(sol, '/tenants/add', { ...TENANT, name: `Kept ${name}` })
    const isMissing = name === '404'
    expect(page).toContain(isMissing ? 'The server behind these pages does not offer this.' : said)
    expect(html).toContain(`value="Kept ${name}"`)
  })

  it('sign a person out when the server answers 401, but not when it answers 503', async () => {
    const ada = await tier.visitor('Ada')
    tier.server.faults.set('GET /users/me', { status: 503 })
    expect((await read(ada, '/settings/profile')).status).toBe(503)
    tier.server.faults.clear()
    expect((await read(ada, '/settings/profile')).status).toBe(200)
    tier.server.faults.set('GET /users/me', { status: 401 })
    expect((await read(ada, '/settings/profile')).end).toContain('/login')
    expect(ada.cookies.has('__Host-liftwell')).toBe(false)
  })

  it.each([
    ['a pool of nobody', { userPoolId: 'https://nobody.example', userPoolWebClientId: 'x' }],
    ['no pool', {}],
    ['null', null],
  ])('say that nobody can sign in when the server names %s', async (_name, pool) => {
    const known = tier.server.pool
    tier.server.pool = pool
    const { response, html } = await new Visitor(tier.origin)
      .follow(await new Visitor(tier.origin).submit('/login', { email: 'ada@acme.example' }))
      .finally(() => {
        tier.server.pool = known
      })
    expect(response.status).toBe(503)
    expect(words(html)).toContain('Configuration error (see console) – please contact the administrator')
  })

  it('say at /login that the server cannot be reached', async () => {
    tier.server.faults.set('GET /users/pool', 'cut')
    const visitor = new Visitor(tier.origin)
    const { html, response } = await visitor.follow(
      await visitor.submit('/login', { email: 'ada@acme.example' }),
    )
    expect(response.status).toBe(503)
    expect(words(html)).toContain('There was an error with the request.')
    expect(html).toContain('value="ada@acme.example"')
  })

  it('refuse a session cookie that is cut, changed or made up', async () => {
    const ada = await tier.visitor('Ada')
    const names = [...ada.cookies.keys()].filter((name) => name.startsWith('__Host-liftwell'))
    const value = ada.cookies.get('__Host-liftwell') ?? ''
    const wrong = [
      value.slice(0, -200),
      value.replace(/^(\d\.)./, '$1X'),
      '1.abc',
      '9.abc',
      `3.${value}`,
      'x'.repeat(3000),
    ]
    for (const cookie of wrong) {
      const visitor = new Visitor(tier.origin)
      for (const name of names) visitor.cookies.set(name, ada.cookies.get(name) ?? '')
      visitor.cookies.set('__Host-liftwell', cookie)
      expect((await read(visitor, '/settings/profile')).end).toContain('/login')
      expect(visitor.cookies.has('__Host-liftwell')).toBe(false)
    }
    const large = new Visitor(tier.origin)
    large.cookies.set('__Host-liftwell', `1.${'y'.repeat(20_000)}`)
    expect((await large.visit('/settings/profile')).status).toBe(431)
    expect((await read(ada, '/settings/profile')).status).toBe(200)
  })

  it('accept a session sealed with their own secret, and no other', async () => {
    const ada = await tier.visitor('Ada')
    const cookie = [...ada.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const pieces = readPieces(new Request(tier.origin, { headers: { cookie } }), '__Host-liftwell') ?? ''
    setSecret(SECRET)
    const session = await openValue(pieces, 'session', KeptSession)
    expect(session).not.toBeNull()
    for (const [secret, end] of [
      [SECRET, '/settings/profile'],
      ['a secret of other screens, long enough', '/login'],
    ] as const) {
      setSecret(secret)
      const visitor = new Visitor(tier.origin)
      for (const set of writePieces('__Host-liftwell', await sealValue(session, 'session'), undefined) ??
        []) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
        if (value) visitor.cookies.set(name, value)
      }
      expect((await read(visitor, '/settings/profile')).end).toContain(end)
    }
  })

  it('have the headers, the protection against forged forms, and the limits of the whole product', async () => {
    const page = await sol.visit('/tenants')
    expect(page.headers.get('content-security-policy')).toContain("script-src 'nonce-")
    expect(page.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    expect(page.headers.get('cache-control')).toContain('no-store')
    const cookie = [...sol.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const forged = await fetch(`${tier.origin}/tenants/add`, {
      method: 'POST',
      headers: {
        cookie,
        origin: 'https://evil.example',
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: 'name=Forged',
    })
    expect(forged.status).toBe(403)
    expect(
      (await fetch(`${tier.origin}/tenants`, { method: 'TRACE' as 'GET' }).catch(() => ({ status: 405 })))
        .status,
    ).toBe(405)
    const long = await sol.submit('/tenants/add', { name: 'x'.repeat(4_000_000) })
    expect(long.status).toBe(413)
    expect((await fetch(`${tier.origin}/api/v1/users/me`)).status).toBe(404)
    expect(tier.server.world.tenants.some(({ name }) => name === 'Forged')).toBe(false)
  })

  it('log people out, also at the provider', async () => {
    const ada = await tier.visitor('Ada')
    const kept = new Map(ada.cookies)
    ada.cookies.set('pool', 'default')
    const out = await ada.submit('/logout', {})
    expect(out.status).toBe(200)
    expect(out.headers.get('refresh')).toContain(`${tier.provider.issuer}/session/end`)
    expect([...ada.cookies.keys()].some((name) => name.startsWith('__Host-liftwell'))).toBe(false)
    expect(ada.cookies.has('pool')).toBe(false)
    expect(kept.has('__Host-liftwell')).toBe(true)
  })
})
