/** Signing in by the link of a message, without JavaScript: opening it, pressing the button, and later sign-ins. */
import { createHash } from 'node:crypto'
import type pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openSite, type Site } from '#tests/support/site.ts'

let site: Site
let client: pg.Client
let lift: number
beforeAll(async () => {
  site = await openSite()
  client = await site.connectAdmin()
  await client.query(`update tenants set settings = settings || '{"sign_in_links": true}'`)
  // The demo's history has no addresses.
  await client.query(`update dispatches d set address = u.email::text from occurrences o, members m, users u
    where o.tenant_id = d.tenant_id and o.id = d.occurrence_id and m.tenant_id = o.tenant_id and m.id = o.member_id
      and u.tenant_id = m.tenant_id and u.id = m.user_id and u.email = 'uri@northwind.example' and d.channel = 'email'`)
})
afterAll(() => site?.close())

/** Stores the token as if the latest mail to Uri contained it. */
async function carry(token: string): Promise<string> {
  const { rows } = await client.query(
    `with latest as (
      select d.tenant_id, d.id, u.id as user_id, o.lift_id::int
      from dispatches d join occurrences o on o.tenant_id = d.tenant_id and o.id = d.occurrence_id
        join members m on m.tenant_id = o.tenant_id and m.id = o.member_id
        join users u on u.tenant_id = m.tenant_id and u.id = m.user_id
      where d.channel = 'email' and d.address = u.email::text and u.email = 'uri@northwind.example'
      order by d.id desc limit 1), kept as (
      insert into sign_in_links (tenant_id, dispatch_id, user_id, token_hash, expires_on)
      select tenant_id, id, user_id, $1, now() + interval '1 day' from latest
      on conflict (tenant_id, dispatch_id) do update set token_hash = excluded.token_hash, used_on = null)
    select lift_id from latest`,
    [createHash('sha256').update(token).digest()],
  )
  lift = rows[0].lift_id
  return `/lift/${lift}?k=${token}`
}

it('a sign-in link survives scanners, signs its person in once, and then leads to the usual sign-in', async () => {
  const path = await carry('abcdefghijklmnopqrst12')
  const scanner = await site.visitor()
  for (let i = 0; i < 3; i += 1) {
    const { response, html: drawn } = await scanner.follow(await scanner.visit(path))
    const html = drawn.replaceAll('<!-- -->', '')
    expect([
      response.status,
      html.includes('Continue as Uri'),
      html.includes('signs you in once, until'),
    ]).toEqual([200, true, true])
  }
  expect(scanner.cookies.has('__Host-liftwell')).toBe(false)

  const phone = await site.visitor()
  const offered = await phone.follow(await phone.visit(path))
  // A double tap: the browser ignores the first answer.
  const press = phone.submit(offered.path, {})
  const inside = await phone.follow(await phone.submit(offered.path, {}))
  expect([inside.path, inside.response.status]).toEqual([`/lift/${lift}`, 200])
  await press
  await client.query(`update sign_in_links set used_on = used_on - interval '10 seconds'`)
  // The link again, signed in: it leads straight to the lift.
  expect((await phone.follow(await phone.visit(path))).path).toBe(`/lift/${lift}`)

  const later = await site.visitor()
  const asked = await later.follow(await later.visit(path))
  expect(asked.html).toContain('The link in your message signs you in once')
  expect([asked.path, asked.html.includes('uri@northwind.example')]).toEqual(['/login/signIn', true])
  const pressed = await later.follow(await later.submit(offered.path, {}))
  expect([pressed.path, later.cookies.has('__Host-liftwell')]).toEqual(['/login/signIn', false])
  const password = site.accounts.find(({ email }) => email === 'uri@northwind.example')?.password ?? ''
  const back = await later.follow(
    await later.submit('/login/signIn', { username: 'uri@northwind.example', password }),
  )
  expect(back.path).toBe(`/lift/${lift}`)
})

it('a made-up sign-in link leads to the sign-in, and from there to the lift', async () => {
  const stranger = await site.visitor()
  for (const token of ['nobody-has-made-this-1', 'abcdefghijklmnopqrst1', 'abcdefghijkl']) {
    const { path, html } = await stranger.follow(await stranger.visit(`/lift/${lift}?k=${token}`))
    expect(path).toBe('/login/signIn')
    expect(html).toContain('After you sign in, your lift opens.')
  }
})

it('a link that was cut says that a part may be missing, and leads to the to-do list', async () => {
  const uri = await site.visitor('uri@northwind.example')
  for (const part of ['/lift/999999', '/lift/t/999999', '/lift/12x']) {
    const opened = await uri.visit(part)
    const page = await opened.text()
    expect([part, opened.status, page.includes('a part of it may be missing')]).toEqual([part, 404, true])
    expect(page).toContain('href="/todo"')
  }
})
