/** What a learner's peer, sponsor and author can read. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { html, openAuthoring, plain } from '#tests/screens/journeys/authoring-world.ts'
import { BY_DAY } from '#tests/support/by-day.ts'
import { withAdmin } from '#tests/support/postgres.ts'

let world: Awaited<ReturnType<typeof openAuthoring>>
let journey = ''
let lift = ''
beforeAll(async () => {
  world = await openAuthoring()
  const { adam, site } = world
  await withAdmin(site.adminUrl, (admin) => admin.query('update users set timezone = $1', [BY_DAY]))
  const { schedule, id, lifts } = await world.draft('Together', [{ title: 'One', when: 'launch' }])
  journey = id
  lift = lifts[0] ?? ''
  const assessment = { name: 'Seen by peers', phase: 'pre', raters: ['peers'], opens_when: 'date' }
  const made = await adam.submit(`/lljs/${id}/assessments/new`, {
    ...{ ...assessment, opens_date: '2020-01-01', closes_when: 'never' },
  })
  const editor = made.headers.get('location') ?? ''
  const item = { kind: 'text', lock_version: '0', weight: '1', text: 'What would help?' }
  await adam.submit(`${editor}/items/text`, item)
  await world.launch(schedule, ['Cohen', 'Nakamura'])
  const table = 'E-mail,Role,Sponsor\nuri@northwind.example,learner,sam@northwind.example'
  await adam.submit(`/lljs/${id}/people/import`, { intent: 'import', sure: 'true', text: table })
})
afterAll(() => world?.site.close())

it('a peer reads "You, as a peer" above their own form', async () => {
  const aya = await world.site.visitor('aya@northwind.example')
  let path: string | undefined
  for (const end = Date.now() + 60_000; !path && Date.now() < end; )
    path = /href="(\/lljs\/\d+\/assessments\/\d+)\?assessment=/.exec(await html(aya, '/todo'))?.[1]
  const page = plain(await html(aya, path ?? ''))
  expect(page).toContain('You, as a peer: ')
  expect(page).not.toContain('Peers: ')
})

it('a sponsor of a learner with one lift reads "1 lift", not "1 lifts"', async () => {
  const sam = await world.site.visitor('sam@northwind.example')
  expect(await html(sam, `/sponsors-journey/${journey}`)).toContain('0 of 1 lift so far')
})

it('the reminder of a lift without a question speaks of completing it, not of answering', async () => {
  const page = plain(await html(world.adam, `/lljs/${journey}/lifts/${lift}/remind`))
  expect(page).toMatch(/Remind those who have not completed|has completed it\./)
  expect(page).toContain('once they have completed it')
  expect(page).not.toMatch(/has(?: not)? answered|have not answered/)
})
