/** A journey of ten thousand participants: they are added by file and by role, and found on any page. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { withAdmin } from '#tests/support/postgres.ts'
import { createJourneysWorld, type JourneysWorld } from './journeys-world.ts'

const PEOPLE = 10_000
const SPONSORS = 150

let world: JourneysWorld
let journey = 0
beforeAll(async () => {
  world = await createJourneysWorld()
  await addAuthors('many', PEOPLE)
  journey = (await world.draft([], { name: 'Ten thousand' })).id
}, 120_000)
afterAll(() => world?.drop())

/** Analyzes between the two inserts: PostgreSQL would otherwise scan all people for each author. */
const addAuthors = (name: string, count: number) =>
  withAdmin(world.database.adminUrl, async (admin) => {
    await admin.query(
      `insert into users (tenant_id, email, first_name, last_name, activation_status)
       select $1, $2 || '-' || n || '@acme.example', initcap($2), lpad(n::text, 5, '0'), 'active'
       from generate_series(1, ${count}) n`,
      [world.acme, name],
    )
    await admin.query('analyze')
    await admin.query(
      `insert into user_general_roles (tenant_id, user_id, role)
       select tenant_id, id, 'author' from users where email like $1 || '-%@acme.example'`,
      [name],
    )
    await admin.query('analyze')
  })

const line = (n: number) =>
  `many-${n}@acme.example,learner,many-${((n + 1) % SPONSORS) + 1}@acme.example,${n % 2 ? 'yes' : 'no'}`
const table = (rows: readonly string[]) => ['email,role,sponsor,exclude_data', ...rows].join('\n')
const all = Array.from({ length: PEOPLE }, (_, n) => line(n + 1))
const importing = (rows: readonly string[], dry_run: boolean, id = journey) =>
  world.must('adam', 'POST', `/lljs/${id}/members/import`, { csv: table(rows), dry_run })

it('names the line of a person who is twice in a long table, within 15 seconds', async () => {
  const start = performance.now()
  const { problems } = await importing([...all.slice(0, -1), line(1)], true)
  expect(problems).toEqual([{ line: PEOPLE + 1, message: 'many-1@acme.example is in line 2 already.' }])
  expect(performance.now() - start).toBeLessThan(15_000)
}, 120_000)

it('imports ten thousand participants within a minute, and finds no change the second time', async () => {
  const few = await Promise.all(Array.from({ length: 5 }, () => world.draft([], { name: 'A few' })))
  const assessment = {
    name: 'Before',
    phase: 'pre',
    raters: ['sponsor'],
    opens: { kind: 'absolute', date: '2020-01-01', time: '09:00' },
  }
  for (const { id } of few) await world.must('adam', 'POST', `/lljs/${id}/assessments`, assessment)
  // The connection keeps a plan that was made for one row, and uses it for ten thousand.
  for (const sponsor of [2, 3])
    await Promise.all(
      few.map(({ id }) =>
        importing([`many-1@acme.example,learner,many-${sponsor}@acme.example,no`], false, id),
      ),
    )
  // This is how the job that prepares assessments leaves them.
  await withAdmin(world.database.adminUrl, (admin) => admin.query('update assessments set is_stale = false'))
  const start = performance.now()
  const { done, rows } = await importing(all, false)
  expect([done, rows.length]).toEqual([true, PEOPLE])
  expect(performance.now() - start).toBeLessThan(60_000)
  const again = await importing(all, true)
  expect(new Set(again.rows.map((row: { outcome: string }) => row.outcome))).toEqual(new Set(['same']))
  const { pagination } = await world.must('adam', 'GET', `/lljs/${journey}/members`)
  expect(pagination).toMatchObject({ total: 10_000, is_capped: true })
}, 240_000)

it('lets a job plan for learners who are imported into a running journey', async () => {
  const made = await world.draft(['uri'], { name: 'Under way' })
  const more = { title: 'More', status: 'ready', blocks: [{ kind: 'text', markdown: 'Text.' }] }
  for (let n = 0; n < 3; n += 1) await world.must('adam', 'POST', `/lljs/${made.id}/lifts`, more)
  await world.must('adam', 'POST', `/lljs/${made.id}/launch`, {})
  expect((await importing(all.slice(0, 600), false, made.id)).done).toBe(true)
  const { planning } = await world.must('adam', 'GET', `/lljs/${made.id}/schedule`)
  expect(planning).toEqual({ people: 600, done: 0 })
  const { data } = await world.must('adam', 'GET', `/lljs/${made.id}/members?role=learner&q=00600`)
  expect(data).toMatchObject([{ exclude_data: false, sponsor_name: 'Many 00002' }])
}, 120_000)

it('shows sponsors on the first and the last page, and finds a single participant', async () => {
  const page = (n: number) =>
    world.must(
      'adam',
      'GET',
      `/lljs/${journey}/members?role=learner&order_by=name&order=asc&per_page=100&page=${n}`,
    )
  const first = await page(1)
  const last = await page(100)
  expect(first.data[0]).toMatchObject({ name: 'Many 00001', sponsor_name: 'Many 00003' })
  expect(last.data[99]).toMatchObject({ name: 'Many 10000', sponsor_email: expect.stringContaining('@acme') })
  const behind = await world.must('adam', 'GET', `/lljs/${journey}/members?per_page=100&page=101`)
  expect(behind).toMatchObject({ data: [], pagination: { total_pages: 100, is_capped: true } })
  const found = await world.must('adam', 'GET', `/lljs/${journey}/members?q=09999`)
  const [{ id, user_id }] = found.data
  for (const query of [`member_id=${id}`, `user_ids=7,${user_id}`])
    expect((await world.must('adam', 'GET', `/lljs/${journey}/members?${query}`)).data).toEqual(found.data)
  expect((await world.call('adam', 'GET', `/lljs/${journey}/members?user_ids=1;2`)).status).toBe(422)
}, 60_000)

it('adds everyone with a role at once, and skips them the second time', async () => {
  const { id } = await world.draft([], { name: 'By role' })
  const add = () => world.must('adam', 'POST', `/lljs/${id}/members`, { group: { general_role: 'author' } })
  const once = await add()
  expect(once.added).toBeGreaterThanOrEqual(PEOPLE)
  const twice = await add()
  expect([twice.added, twice.skipped]).toEqual([0, once.added])
}, 120_000)

it('removes a sponsor who has 66,000 learners', async () => {
  const { id } = await world.draft(['uri'], { name: 'One sponsor' })
  const { data } = await world.must('adam', 'POST', `/lljs/${id}/members`, {
    ...{ user_ids: [world.people.aya.user_id], role: 'sponsor' },
  })
  await withAdmin(world.database.adminUrl, async (admin) => {
    // None of these rows concerns the triggers.
    await admin.query('set session_replication_role = replica')
    await admin.query(
      `with made as (insert into users (tenant_id, email, first_name, last_name, activation_status)
         select $1, 'led-' || n || '@acme.example', 'Led', n::text, 'active' from generate_series(1, 66000) n
         returning tenant_id, id)
       insert into members (tenant_id, journey_id, user_id, role, state, sponsor_id)
         select tenant_id, $2, id, 'learner', 'active', $3 from made`,
      [world.acme, id, data[0].id],
    )
    await admin.query('analyze members')
  })
  await world.must('adam', 'DELETE', `/lljs/${id}/members/${data[0].id}`)
  const { pagination } = await world.must('adam', 'GET', `/lljs/${id}/members?role=sponsor`)
  expect(pagination.total).toBe(0)
}, 120_000)

it('refuses a group of more than 20,000 people, and adds none of them', async () => {
  await addAuthors('more', PEOPLE + 1)
  const { id } = await world.draft([], { name: 'Everybody' })
  const group = { general_role: 'author' }
  const refused = await world.call('adam', 'POST', `/lljs/${id}/members`, { group })
  expect([refused.status, refused.json.detail]).toEqual([
    422,
    { group: ['That’s more than 20,000 people. Please choose fewer.'] },
  ])
  expect((await world.must('adam', 'GET', `/lljs/${id}/members`)).pagination.total).toBe(0)
}, 120_000)
