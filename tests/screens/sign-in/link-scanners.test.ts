/** Programs that open every link of a mail before its reader does change nothing. */
import type pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { beside, html, onDay, openAuthoring, valueIn } from '#tests/screens/journeys/authoring-world.ts'

const URI = 'uri@northwind.example'
let world: Awaited<ReturnType<typeof openAuthoring>>
let admin: pg.Client
let lift: string

beforeAll(async () => {
  world = await openAuthoring()
  admin = await world.site.connectAdmin()
  await admin.query(`update tenants set settings = settings || '{"sign_in_links": true}'`)
  await admin.query('update users set sms_opt_in = false where email = $1', [URI])
  const { schedule, lifts } = await world.draft('Watched links', [
    { title: 'Look before you press', ...onDay(9) },
  ])
  lift = lifts[0] ?? ''
  await world.launch(schedule, ['uri'])
  const page = beside(schedule, `lifts/${lift}/send`)
  await world.adam.submit(page, {
    intent: 'send-now',
    __key__: valueIn(await html(world.adam, page), '__key__'),
  })
})
afterAll(() => world?.site.close())

async function mail(): Promise<string> {
  const { rows } = await admin.query<{ body: string }>(
    `select body from outbox_messages where recipient = $1 and body like '%' || $2 || '%' order by id desc limit 1`,
    [URI, `/lift/${lift}`],
  )
  return rows[0]?.body ?? ''
}

const left = async () => {
  const { rows } = await admin.query(
    `select (select count(*)::int from occurrences where lift_id = $1 and opened_at is not null) as opened,
       (select count(*)::int from sign_in_links where used_on is not null) as used,
       (select count(*)::int from mail_stops) as stopped`,
    [lift],
  )
  return rows[0]
}

it('scanning the links of a mail opens no lift, uses up no sign-in link, and stops no e-mails', async () => {
  await expect.poll(mail, { timeout: 20_000 }).toContain('/unsubscribe/')
  const links = [...(await mail()).matchAll(/https?:\/\/\S+[^\s.,]/g)].map(([link]) => new URL(link))
  const paths = links.map(({ pathname, search }) => pathname + search)
  expect(paths.map((path) => path.replace(/[^/?]*$/, ''))).toEqual([`/lift/${lift}?`, '/unsubscribe/'])
  const before = await left()
  for (const method of ['HEAD', 'GET', 'GET'])
    for (const path of paths) {
      const scanner = await world.site.visitor()
      const opened = await scanner.follow(await scanner.visit(path, { method }))
      expect([path, opened.response.status]).toEqual([path, 200])
      expect(scanner.cookies.has('__Host-liftwell')).toBe(false)
    }
  expect(await left()).toEqual(before)

  const [first = ''] = paths
  const phone = await world.site.visitor()
  const offered = await phone.follow(await phone.visit(first))
  expect(offered.html).toContain('Continue as')
  const inside = await phone.follow(await phone.submit(offered.path, {}))
  expect(await left()).toMatchObject({
    opened: inside.path === `/lift/${lift}` ? 1 : 0,
    used: before.used + 1,
  })
})
