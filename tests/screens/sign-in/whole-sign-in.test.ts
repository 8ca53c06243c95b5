/** The first minute, without JavaScript: from the link of a message to the lift through one screen. */
import type pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { openSite, type Site } from '#tests/support/site.ts'
import { openWorld, type World } from './sign-in-world.ts'

const URI = 'uri@northwind.example'
const GRACE = 'grace@harbor.example'
const WRONG = 'Incorrect username or password'
let site: Site
let world: World
let admin: pg.Client
let lift: number

beforeAll(async () => {
  site = await openSite()
  world = await openWorld()
  admin = await site.connectAdmin()
  const inside = await site.visitor(URI)
  const learner = await (await inside.visit('/learner')).text()
  lift = Number(/href="\/lift\/(\d+)"/.exec(learner)?.[1])
  expect(lift).toBeGreaterThan(0)
})
afterEach(() => world.forgive())
afterAll(async () => {
  await world?.close()
  await site?.close()
})

const link = () => `/lift/${lift}?m=zz9`
const passwordOf = (email: string) => site.accounts.find((one) => one.email === email)?.password ?? ''
const typedIn = (html: string, name: string) =>
  new RegExp(`<input[^>]*name="${name}"[^>]*>`).exec(html)?.[0].match(/value="([^"]*)"/)?.[1] ?? ''

async function open(path = link()) {
  const visitor = await site.visitor()
  const page = await visitor.follow(await visitor.visit(path))
  const answer = async (fields: Record<string, string>) =>
    visitor.follow(await visitor.submit(page.path, fields))
  return { visitor, page, answer, isIn: () => visitor.cookies.has('__Host-liftwell') }
}

it('the screen asks for address and password together, knows neither from the link, and leads to the lift', async () => {
  const { page, answer, isIn } = await open()
  expect(page.path).toBe('/login/signIn')
  expect(page.html.match(/<form[^>]*id="sign-in".*?<\/form>/s)?.[0]).toMatch(
    /name="username".*name="password".*name="remember"/s,
  )
  expect([typedIn(page.html, 'username'), page.html.includes(URI)]).toEqual(['', false])
  const inside = await answer({ username: URI, password: passwordOf(URI) })
  expect([inside.path, inside.response.status, isIn()]).toEqual([link(), 200, true])
})

it('the screen is the same for an unknown lift, and does not reveal which addresses exist', async () => {
  const [real, none] = [await open(), await open('/lift/999999')]
  expect(none.page.path).toBe(real.page.path)
  const answers = []
  for (const username of [URI, 'nobody@northwind.example'])
    answers.push(await real.answer({ username, password: 'not the password' }))
  for (const { response, path, html } of answers)
    expect([response.status, path, html.includes(WRONG), html.includes('name="remember"')]).toEqual([
      ...[400, '/login/signIn', true, true],
    ])
  expect(real.isIn()).toBe(false)
})

it('a person who asked to be remembered enters only the password at the next link', async () => {
  const { visitor, answer } = await open()
  await answer({ username: URI, password: passwordOf(URI), remember: 'on' })
  const { rows } = await admin.query<{ days: number }>(
    `select extract(day from expires_at - now())::int as days from sessions where remember order by created_on desc limit 1`,
  )
  expect(rows).toEqual([{ days: 29 }])
  for (const name of visitor.cookies.keys()) if (name !== 'rememberedEmail') visitor.cookies.delete(name)
  const next = await visitor.follow(await visitor.visit(link()))
  expect([next.path, typedIn(next.html, 'username')]).toEqual(['/login/signIn', URI])
  expect(next.html).not.toContain('name="remember"')
})

it('the second factor is asked for after the password', async () => {
  await world.change(URI, `preferred_mfa = 'SOFTWARE_TOKEN_MFA'`)
  const { answer, isIn } = await open()
  const asked = await answer({ username: URI, password: passwordOf(URI) })
  expect([asked.path, isIn()]).toEqual(['/login/confirmSignIn', false])
  await world.change(URI, 'preferred_mfa = null')
})

it('a person who signs in at another provider is led there, with the way back to the lift', async () => {
  const there = 'https://provider.example'
  const settings = {
    authorization_endpoint: `${there}/authorize`,
    token_endpoint: `${there}/token`,
    jwks_uri: `${there}/jwks`,
  }
  await admin.query(
    `insert into pools (id, name, kind, login_mode, issuer, client_id, settings)
     values ('elsewhere', 'Elsewhere', 'oidc', 'redirect', 'https://provider.example', 'liftwell', $1)`,
    [settings],
  )
  await admin.query(
    `update tenants set pool_id = 'elsewhere' where id = (select tenant_id from users where email = $1)`,
    [GRACE],
  )
  const { visitor, page } = await open()
  const away = await visitor.submit(page.path, { username: GRACE, password: 'typed in vain' })
  const location = away.headers.get('location') ?? ''
  expect(location).toMatch(/^\/auth\/start\/elsewhere\?/)
  expect(new URL(location, site.origin).searchParams.get('redirect')).toBe(link())
  const html = await (await visitor.visit(location)).text()
  expect(html).toContain('https://provider.example/authorize?')
  expect(html).toContain(encodeURIComponent(GRACE))
  expect(html).not.toContain('vain')
  // This does not reveal who works there: an unknown address of the domain is redirected the same way.
  await admin.query(
    `insert into email_domains (tenant_id, domain) select tenant_id, 'harbor.example' from users where email = $1`,
    [GRACE],
  )
  for (const username of [GRACE, 'nobody@harbor.example']) {
    const next = await open()
    const led = await next.visitor.submit(next.page.path, { username, password: 'typed in vain' })
    expect([username, led.status, led.headers.get('location')]).toEqual([username, away.status, location])
  }
  // The address can also be asked first, as everywhere else.
  const first = /href="(\/login\?first=email[^"]*)"/.exec(page.html)?.[1]?.replaceAll('&amp;', '&') ?? ''
  const asked = await visitor.follow(await visitor.visit(first))
  expect([asked.path, asked.html.includes('name="password"')]).toEqual(['/login', false])
  const left = await visitor.submit(first, { email: GRACE })
  expect(left.headers.get('location')).toContain(`redirect=${encodeURIComponent(link())}`)
})
