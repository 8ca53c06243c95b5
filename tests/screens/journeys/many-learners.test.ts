/** The report of a journey with ten thousand learners and fifty-one lifts: in pages of 200 by 50. */
import type pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { withAdmin } from '#tests/support/postgres.ts'
import { openSite, type Site } from '#tests/support/site.ts'
import type { Visitor } from '#tests/support/visitor.ts'
import { html } from './authoring-world.ts'

const [LEARNERS, LIFTS] = [10_000, 51]

let site: Site
let adam: Visitor
let journey = 0
beforeAll(async () => {
  site = await openSite()
  adam = await site.visitor('adam@northwind.example')
  await withAdmin(site.adminUrl, async (admin) => {
    // The statistics are from before the launch: the worst case for query plans.
    await admin.query('analyze')
    journey = await addJourney(admin)
  })
}, 180_000)
afterAll(() => site?.close())

/** The first learner was sent all lifts and completed them; everyone else was sent only the first lift. */
async function addJourney(admin: pg.Client): Promise<number> {
  const { rows } = await admin.query(
    `insert into journeys (tenant_id, name, category, author_id, status, launched_at)
     select tenant_id, 'Ten thousand', 'Sales', id, 'active', now() - interval '9 days' from users
     where email = 'adam@northwind.example' returning id::int, tenant_id`,
  )
  const [{ id, tenant_id }] = rows
  await admin.query(
    `with made as (insert into lifts (tenant_id, journey_id, position, title, status)
       select $1, $2, n, 'Lift ' || n, 'ready' from generate_series(1, ${LIFTS}) n returning tenant_id, id)
     insert into lift_versions (tenant_id, lift_id, version, content)
     select tenant_id, id, 1, '{"prompts": [{"id": 1}]}' from made`,
    [tenant_id, id],
  )
  await admin.query(
    `with made as (insert into users (tenant_id, email, first_name, last_name, activation_status)
       select $1, 'many' || n || '@northwind.example', 'Learner', lpad(n::text, 5, '0'), 'active'
       from generate_series(1, ${LEARNERS}) n returning tenant_id, id)
     insert into members (tenant_id, journey_id, user_id, role, state)
     select tenant_id, $2::bigint, id, 'learner', 'active' from made`,
    [tenant_id, id],
  )
  await admin.query(
    `insert into occurrences (tenant_id, journey_id, lift_id, member_id, zone, due_at, state, content_version, completed_at)
     select l.tenant_id, l.journey_id, l.id, m.id, 'UTC', now() - interval '1 day', 'sent', 1,
       case when u.last_name = '00001' then now() - interval '1 hour' end
     from members m join users u on u.tenant_id = m.tenant_id and u.id = m.user_id
       join lifts l on l.tenant_id = m.tenant_id and l.journey_id = m.journey_id
     where m.journey_id = $1 and (l.position = 1 or u.last_name = '00001')`,
    [id],
  )
  await admin.query(
    `insert into fact_occurrence (tenant_id, occurrence_id, journey_id, lift_id, member_id, user_id, exclude_data,
       required, state, delivery, due_at, accepted_at, completed_at)
     select o.tenant_id, o.id, o.journey_id, o.lift_id, o.member_id, m.user_id, false, true, o.state, 'accepted',
       o.due_at, o.due_at, o.completed_at
     from occurrences o join members m on m.tenant_id = o.tenant_id and m.id = o.member_id where o.journey_id = $1`,
    [id],
  )
  return id
}

const named = (page: string) => page.match(/Learner \d{5}(?=<\/bdi>)/g) ?? []
const cells = (page: string) => page.match(/<td class="heat-cell"/g)?.length ?? 0

it('the report shows 200 learners by 50 lifts, and says how many there are', async () => {
  const page = await html(adam, `/analytics?journey=${journey}`)
  expect([named(page).length, cells(page)]).toEqual([200, 200 * 50])
  expect(page.match(/<td class="heat-cell" data-cell="completed"/g)?.length).toBe(50)
  expect(page).toContain('1-200 of 10,000')
  expect(page).toContain('51 lifts')
  expect(page).toContain('&lt;1% of learners (1 of 10,000) have completed all that was due for them')
})

it('the report shows each learner on the page where they belong', async () => {
  // On the page with the last lift only: a page of fifty lifts is ten times as long, with the same names.
  // Every seventh page, from the first to the last, must have exactly its own 200 names.
  for (let nth = 1; nth <= LEARNERS / 200; nth += 7) {
    const page = await html(adam, `/analytics?journey=${journey}&lifts_page=2&page=${nth}`)
    const theirs = Array.from({ length: 200 }, (_, i) => String((nth - 1) * 200 + i + 1).padStart(5, '0'))
    expect(named(page)).toEqual(theirs.map((number) => `Learner ${number}`))
  }
}, 120_000)

it('the report has the fifty-first lift on a page of its own, and nothing after the last page', async () => {
  const page = await html(adam, `/analytics?journey=${journey}&lifts_page=2`)
  expect([named(page).length, cells(page)]).toEqual([200, 200])
  expect(page).toContain('Earlier lifts')
  expect(page).toMatch(/<ol class="heat-lifts" start="51"/)
  const past = await html(adam, `/analytics?journey=${journey}&page=51&lifts_page=3`)
  expect([named(past).length, cells(past)]).toEqual([0, 0])
})
