/** A journey of a sub-tenant, written by its administrator. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { withAdmin } from '#tests/support/postgres.ts'
import { openSite } from '#tests/support/site.ts'
import type { Visitor } from '#tests/support/visitor.ts'
import { html, plain } from './authoring-world.ts'

let site: Awaited<ReturnType<typeof openSite>>
let eva: Visitor
let people = ''
beforeAll(async () => {
  site = await openSite()
  eva = await site.visitor('eva@northwind.example')
  const [, europe] = (await html(eva, '/subtenants')).matchAll(/name="sub_tenant_id" value="([^"]*)"/g)
  await eva.submit('/subtenants', { sub_tenant_id: europe?.[1] ?? '' })
  const made = await eva.submit('/lljs/manage/new', { name: 'In Europe', category: 'Safety' })
  people = (made.headers.get('location') ?? '').replace(/schedule$/, 'people')
})
afterAll(() => site?.close())

it('the form to add participants offers the journey’s own sub-tenant, and no other', async () => {
  const page = await html(eva, `${people}/add`)
  expect(page).toContain('>Northwind Europe</option>')
  expect(page).not.toContain('>Northwind Americas</option>')
})

it('a choice that matches nobody is refused without a link to a field that is not on the form', async () => {
  const refused = await eva.submit(`${people}/add`, {
    intent: 'add-group',
    general_role: 'author',
    role: 'learner',
  })
  const said = plain(await refused.text())
  expect(said).toContain('<li>Nobody matches this choice.</li>')
  expect(said).not.toContain('href="#group-group"')
})

it('people outside the sub-tenant are not said to be outside the company', async () => {
  const text = 'E-mail,Role,Sponsor\nadam@northwind.example,,\nuri@northwind.example,,adam@northwind.example'
  const table = plain(await (await eva.submit(`${people}/import`, { intent: 'check', text })).text())
  expect(table).toContain('adam@northwind.example is not in your sub-tenant')
  expect(table).toContain('The sponsor adam@northwind.example is not in your sub-tenant.')

  await eva.submit(`${people}/import`, {
    intent: 'import',
    text: 'E-mail\nuri@northwind.example',
    sure: 'true',
  })
  const [, member = ''] = /people\/(\d+)"/.exec(await html(eva, people)) ?? []
  const edited = { role: 'learner', sponsor: 'adam@northwind.example' }
  expect(await (await eva.submit(`${people}/${member}`, edited)).text()).toContain(
    'Nobody in your sub-tenant has this e-mail.',
  )
})

it('participants from outside the sub-tenant are counted, but not named', async () => {
  const take = (address: string) =>
    withAdmin(site.adminUrl, (admin) =>
      admin.query(
        `insert into members (tenant_id, journey_id, user_id, role) select tenant_id, $1, id, 'facilitator'
         from users where email = $2`,
        [/\d+/.exec(people)?.[0], address],
      ),
    )
  expect(plain(await html(eva, people))).not.toContain('from outside this sub-tenant')
  await take('adam@northwind.example')
  const one = plain(await html(eva, people))
  expect(one).toContain('Participants (1)')
  expect(one).toContain('1 more from outside this sub-tenant.')
  expect(one).not.toContain('adam@northwind.example')
  await take('aya@northwind.example')
  expect(plain(await html(eva, people))).toContain('2 more from outside this sub-tenant.')
  expect(plain(await html(eva, `${people}?find=uri`))).not.toContain('from outside this sub-tenant')
})

it('a sponsor from outside the sub-tenant is kept when the learner is edited', async () => {
  const journey = /\d+/.exec(people)?.[0]
  const sponsorId = () =>
    withAdmin(site.adminUrl, async (admin) => {
      const { rows } = await admin.query(
        `select sponsor_id from members where journey_id = $1 and role = 'learner'`,
        [journey],
      )
      return rows[0].sponsor_id as string | null
    })
  await withAdmin(site.adminUrl, (admin) =>
    admin.query(
      `with s as (insert into members (tenant_id, journey_id, user_id, role) select tenant_id, $1, id, 'sponsor'
         from users where email = 'adam@northwind.example' returning id)
       update members set sponsor_id = s.id from s where journey_id = $1 and role = 'learner'`,
      [journey],
    ),
  )
  const before = await sponsorId()
  expect(before).not.toBeNull()
  const list = await html(eva, people)
  expect(plain(list)).toContain('sponsor: Someone outside this sub-tenant')
  const page = `${people}/${/people\/(\d+)"/.exec(list)?.[1]}`
  expect(plain(await html(eva, page))).toContain('Leave blank to keep the one from outside this sub-tenant.')
  await eva.submit(page, { role: 'learner', sponsor: '', exclude_data: 'on' })
  expect(plain(await html(eva, people))).toContain('excluded from analytics')
  expect(await sponsorId()).toBe(before)
  const check = { intent: 'check', text: 'E-mail,Sponsor\nuri@northwind.example,eva@northwind.example' }
  expect(plain(await (await eva.submit(`${people}/import`, check)).text())).toContain(
    'Someone outside this sub-tenant',
  )
})
