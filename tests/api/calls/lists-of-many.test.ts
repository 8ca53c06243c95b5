/** Lists of a company with more people than a list counts: in order, nobody twice, and read along an index. */
import { CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely'
import type pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { toActor } from '#app/auth/actor.server.ts'
import { openPool } from '#app/db/pool.server.ts'
import type { DB } from '#app/db/schema.ts'
import { explainFigure } from '#app/domain/analytics/explained/explain.server.ts'
import { ExplainQuery } from '#app/domain/analytics/explained/explained.ts'
import { listAuditEvents } from '#app/domain/audit/list-events.server.ts'
import { explainTable } from '#app/domain/exports/tables/explain.server.ts'
import { answersTable } from '#app/domain/exports/tables/lift.server.ts'
import { listJourneys } from '#app/domain/journeys/listing.server.ts'
import { inScope, type Scope } from '#app/domain/scope/scope.server.ts'
import { findIds, type Noun } from '#app/domain/search.server.ts'
import { listUsers } from '#app/domain/users/users.server.ts'
import { createJourneysWorld, type JourneysWorld } from '#tests/api/journeys/journeys-world.ts'
import { fillTenant } from '#tests/bench/people.ts'

const PEOPLE = 10_200
const CAPPED = { total_pages: 100, total: 10_000, per_page: 100, is_capped: true }

let world: JourneysWorld
let admin: pg.Client
let journey = 0
beforeAll(async () => {
  world = await createJourneysWorld()
  admin = await world.database.connectAdmin()
  await fillTenant(admin, world.people.adam, PEOPLE)
  const { rows } = await admin.query('select id::int from journeys order by learner_count desc limit 1')
  journey = rows[0].id
}, 120_000)
afterAll(() => world?.drop())

type Named = { name: string; user_id: number }
const page = (path: string, number: number) =>
  world.must('adam', 'GET', `${path}${path.includes('?') ? '&' : '?'}per_page=100&page=${number}`)
const byLastName = ({ name }: Named) => name.split(' ').slice(1).join(' ')
const { compare } = new Intl.Collator('und')

for (const [what, path] of [
  ['learners of a report', () => '/analytics/by_user'],
  ['participants by name', () => `/lljs/${journey}/members?role=learner&order_by=name&order=asc`],
] as const)
  it(`A list pages through ${what} in order`, async () => {
    const pages = await Promise.all([1, 2, 3].map((number) => page(path(), number)))
    const people: Named[] = pages.flatMap(({ data }) => data)
    expect(new Set(people.map(({ user_id }) => user_id)).size).toBe(300)
    const names = people.map(byLastName)
    expect(names).toEqual(names.toSorted(compare))
    expect(pages[0].pagination).toEqual({ current_page: 1, ...CAPPED })
    expect((await page(path(), 100)).data).toHaveLength(100)
    expect(await page(path(), 101)).toMatchObject({ data: [], pagination: { current_page: 101, ...CAPPED } })
  }, 60_000)

it('A report finds learners by words that few or many names contain', async () => {
  const few = await page('/analytics/by_user?q=Fischer%20777', 1)
  expect(few.data.map(({ name }: Named) => name)).toEqual(
    ['Fischer 777', 'Fischer 7770', 'Fischer 7777'].map((name) => expect.stringContaining(name)),
  )
  expect(few.pagination).toEqual({ current_page: 1, total_pages: 1, total: 3, per_page: 100 })
  const many = await page('/analytics/by_user?q=f', 2)
  expect(many.data).toHaveLength(100)
  const turned = await page('/analytics/by_user?order=desc', 1)
  const names = turned.data.map(byLastName)
  expect(names).toEqual(names.toSorted(compare).toReversed())
}, 60_000)

it('A report and an explained figure find the newest learners with a common word, and say there are more', async () => {
  const found = await page('/analytics/by_user?q=fischer', 1)
  expect(found.pagination).toMatchObject({ is_capped: true })
  const behind = await page('/analytics/explain?q=fischer', 1)
  expect(behind.pagination).toMatchObject({ is_capped: true })
  for (const { name } of [...found.data, ...behind.data]) expect(name).toContain('Fischer')
  const exported = inScope(world.database.app, toActor(world.people.adam, {}), (scope) =>
    explainTable(scope, ExplainQuery.parse({ q: 'fischer' })),
  )
  await expect(exported).rejects.toThrow('These words are too common. Please add another one.')
}, 60_000)

it('A report and an explained figure find learners regardless of accents', async () => {
  const { rows } = await admin.query(
    `update users set last_name = 'Ångström' where tenant_id = $1 and first_name || ' ' || last_name like '%Fischer 777' returning id::int`,
    [world.people.adam.tenant_id],
  )
  for (const path of ['/analytics/by_user?q=angstrom', `/analytics/by_user?q=angstrom&journey=${journey}`])
    expect((await page(path, 1)).data).toMatchObject(rows.map(({ id }) => ({ user_id: id })))
  const behind = await page('/analytics/explain?q=angstrom', 1)
  expect(new Set(behind.data.map(({ user_id }: Named) => user_id))).toEqual(new Set(rows.map(({ id }) => id)))
}, 60_000)

it('A search finds a word that none of the newest people have, and says when there are more', async () => {
  const { tenant_id } = world.people.adam
  const { rows } = await admin.query(
    `with old as (select id from users where tenant_id = $1 order by id offset 4000 limit 300)
     update users u set department = 'Falconry' from old where u.tenant_id = $1 and u.id = old.id returning u.id::text, u.created_on`,
    [tenant_id],
  )
  const newest = rows
    .toSorted((a, b) => b.created_on - a.created_on || Number(b.id) - Number(a.id))
    .map(({ id }) => id)
  const find = (noun: Noun, most: number, among = {}) =>
    inScope(world.database.app, toActor(world.people.adam, {}), async (scope) => {
      const { ids, is_all } = await findIds(scope, noun, 'falconry', { most, ...among })
      return { ids: ids.slice(1, -1).split(',').filter(Boolean), is_all }
    })
  expect(await find('users', 10_000)).toEqual({ ids: newest, is_all: true })
  expect(await find('users', 10_000, { roles: ['user'] })).toMatchObject({ is_all: true })
  const few = await find('users', 50)
  expect([few.ids.length, few.is_all]).toEqual([50, false])
  for (const id of few.ids) expect(newest).toContain(id)
  const theirs = await find('participants', 10_000, { journey })
  expect(theirs.is_all).toBe(true)
  expect(theirs.ids.length).toBeGreaterThan(250)
}, 60_000)

it('The list of people counts people by status, using the index of statuses', async () => {
  const { rows } = await admin.query(
    `with away as (update users set activation_status = 'disabled' where tenant_id = $1 and id % 50 = 0 returning id)
     select (select count(*)::int from away) as away,
       (select count(*)::int from users where tenant_id = $1) as people`,
    [world.people.adam.tenant_id],
  )
  expect((await page('/users?activation_status=disabled', 1)).pagination.total).toBe(rows[0].away)
  const others = await page('/users?activation_status=active&activation_status=invited', 1)
  expect(others.pagination.total).toBe(rows[0].people - rows[0].away)
  await admin.query('analyze users')
  const query = { page: 1, per_page: 20, order_by: 'date', order: 'desc', q: '', role: [] } as const
  const listed = (scope: Scope) => listUsers(scope, { ...query, activation_status: ['disabled'] })
  const [plan] = await plansOf(listed, 'count_people')
  expect(plan).toContain('Index Scan Backward using users_by_status on users')
}, 60_000)

it('The list of people counts and pages through the people of a sub-tenant, small or large', async () => {
  const { tenant_id } = world.people.adam
  const part = async (name: string, of: string) => {
    const { rows } = await admin.query(
      `with made as (insert into sub_tenants (tenant_id, name) values ($1, $2) returning id)
       insert into user_general_roles (tenant_id, user_id, role, sub_tenant_id)
         select $1, u.id, 'user', made.id from made, users u where u.tenant_id = $1 and ${of} returning sub_tenant_id`,
      [tenant_id, name],
    )
    return { id: rows[0].sub_tenant_id, people: rows.length }
  }
  const few = await part('Few of many', 'u.id % 60 = 0')
  const many = await part('Nearly all', 'u.id % 60 <> 0')
  const total = async (query: string) => (await page(`/users?${query}`, 1)).pagination.total
  expect(await total(`sub_tenant_id=${few.id}`)).toBe(few.people)
  expect(await total(`sub_tenant_id=${few.id}&role=user`)).toBe(few.people)
  expect(await total(`sub_tenant_id=${few.id}&role=admin`)).toBe(0)
  expect(await total(`sub_tenant_id=${many.id}`)).toBe(Math.min(many.people, 10_000))
  expect((await page(`/users?sub_tenant_id=${few.id}&sub_tenant_id=${many.id}`, 1)).pagination).toEqual({
    current_page: 1,
    ...CAPPED,
  })
  type Listed = { id: number; created_on: string }
  const people: Listed[] = (await page(`/users?sub_tenant_id=${few.id}`, 2)).data
  expect(people.map(({ created_on }) => created_on)).toEqual(
    people
      .map(({ created_on }) => created_on)
      .toSorted()
      .toReversed(),
  )
}, 60_000)

it('The list of people finds people with a rare role, with and without search words', async () => {
  type User = { id: number; user_general_roles: { role: string }[] }
  const isAuthor = ({ user_general_roles }: User) => user_general_roles.some(({ role }) => role === 'author')
  const authors = await page('/users?role=author', 1)
  expect(authors.data.every(isAuthor)).toBe(true)
  expect(authors.pagination.total).toBeGreaterThan(90)
  const named = await page('/users?role=author&q=fischer', 1)
  expect(named.data.every(isAuthor)).toBe(true)
  expect(named.pagination.total).toBeGreaterThan(0)
  expect(named.pagination.total).toBeLessThan(authors.pagination.total)
}, 60_000)

it.each([
  'q=fischer',
  'role=author',
  'role=author&q=fischer',
  'department=Sales&q=fischer',
  'activation_status=disabled',
])(
  'The list of people filtered by %s has its pages in order, ascending and descending',
  async (words) => {
    type Listed = { id: number; created_on: string }
    const whole = async (order: 'asc' | 'desc') => {
      const path = `/users?${words}&order_by=date&order=${order}`
      const { pagination } = await page(path, 1)
      const pages: { data: Listed[] }[] = []
      for (let number = 1; number <= pagination.total_pages; number++) pages.push(await page(path, number))
      const people = pages.flatMap(({ data }) => data)
      expect(people).toHaveLength(pagination.total)
      expect((await page(path, pagination.total_pages + 1)).data).toEqual([])
      return people.map(({ id, created_on }) => `${created_on} ${String(id).padStart(9, '0')}`)
    }
    const oldestFirst = await whole('asc')
    expect(new Set(oldestFirst).size).toBe(oldestFirst.length)
    expect(oldestFirst).toEqual(oldestFirst.toSorted())
    expect(await whole('desc')).toEqual(oldestFirst.toReversed())
  },
  60_000,
)

it('The list of people counts people by department, by role and by both', async () => {
  const { rows } = await admin.query(
    `select count(*) filter (where department = 'Sales')::int as sales,
       count(*) filter (where department in ('Sales', 'Legal'))::int as both,
       count(*) filter (where department = 'Legal' and exists (select from user_general_roles r
         where r.tenant_id = u.tenant_id and r.user_id = u.id and r.role = 'user'))::int as users
     from users u where tenant_id = $1`,
    [world.people.adam.tenant_id],
  )
  const total = async (query: string) => (await page(`/users?${query}`, 1)).pagination.total
  expect(await total('department=Sales')).toBe(rows[0].sales)
  expect(await total('department=Sales&department=Legal')).toBe(rows[0].both)
  expect(await total('department=Legal&role=user')).toBe(rows[0].users)
  expect((await page('/users?role=user', 1)).pagination).toEqual({ current_page: 1, ...CAPPED })
}, 60_000)

it('The audit log finds events of one action among all others', async () => {
  const updated = await page('/audit_events?action=User%20updated', 1)
  expect(updated.data.every(({ action }: { action: string }) => action === 'user.updated')).toBe(true)
  expect(updated.pagination.total).toBeGreaterThan(90)
  expect((await page('/audit_events?action=user', 1)).pagination).toEqual({ current_page: 1, ...CAPPED })
  expect((await page('/audit_events?action=nothing', 1)).pagination.total).toBe(0)
}, 60_000)

it('A journey’s heat map lists learners in the order of the report, and counts all who are done', async () => {
  const [first, second] = await Promise.all([1, 2].map((number) => page(`/lljs/${journey}/grid`, number)))
  const learners: Named[] = [...first.learners, ...second.learners]
  const listed = await Promise.all(
    [1, 2].map((number) => page(`/analytics/by_user?journey=${journey}`, number)),
  )
  expect(learners.map(({ user_id }) => user_id)).toEqual(
    listed.flatMap(({ data }) => data.map(({ user_id }: Named) => user_id)),
  )
  expect(first.pagination).toEqual({ current_page: 1, ...CAPPED })
  const { rows } = await admin.query(
    `select count(*)::int as d, (count(*) filter (where is_done))::int as n from (
      select bool_and(completed_at is not null) as is_done from fact_occurrence
      where journey_id = $1 and is_counted and due_at <= now() group by member_id) learners`,
    [journey],
  )
  expect(first.done).toEqual(rows[0])
  expect(first.done.n).toBeGreaterThan(0)
  expect(first.done.d).toBeGreaterThan(10_000)
}, 60_000)

it('An explained figure lists its learners by name, in both directions', async () => {
  const [first, second] = await Promise.all(
    [1, 2].map((number) => page(`/analytics/explain?figure=response&journey=${journey}`, number)),
  )
  const rows: Named[] = [...first.data, ...second.data]
  const names = rows.map(byLastName)
  expect(names).toEqual(names.toSorted(compare))
  expect(new Set(rows.map(({ user_id }) => user_id)).size).toBe(200)
  const turned = await page(`/analytics/explain?figure=response&journey=${journey}&order=desc`, 1)
  const back = turned.data.map(byLastName)
  expect(back).toEqual(back.toSorted(compare).toReversed())
}, 60_000)

it('The home page counts as many learners behind as the report', async () => {
  const { work } = await world.must('adam', 'GET', '/today')
  const behind = await page(`/analytics/explain?figure=completion&outcome=behind&journey=${journey}`, 1)
  expect(work.behind.journeys[0]).toMatchObject({ id: journey, people: behind.learners })
  expect(behind.learners).toBeGreaterThan(5_000)
}, 60_000)

it('The answers to a lift are counted up to the cap of a list, and all of them are exported', async () => {
  await admin.query(
    `insert into responses (tenant_id, member_id, lift_id, prompt_id, prompt_version, value, submitted_at)
     select o.tenant_id, o.member_id, o.lift_id, p.id, 1, '"Late"', now()
     from occurrences o join prompts p on p.tenant_id = o.tenant_id and p.lift_id = o.lift_id
     where o.journey_id = $1 and o.completed_at is null on conflict do nothing`,
    [journey],
  )
  const { rows } = await admin.query(
    `select lift_id::int as lift, count(*)::int as given from responses
     where lift_id in (select id from lifts where journey_id = $1) group by lift_id`,
    [journey],
  )
  const { lift, given } = rows[0]
  expect(given).toBeGreaterThan(10_100)
  expect((await page(`/lifts/${lift}/responses`, 1)).pagination).toEqual({ current_page: 1, ...CAPPED })
  const told = await inScope(world.database.app, toActor(world.people.adam, {}), async (scope) => {
    const { things, total } = await answersTable(scope, { lift, q: '' })
    let many = 0
    for await (const _ of things) many++
    return { total, many }
  })
  expect(told).toEqual({ total: given, many: given })
}, 60_000)

it('The list of people finds and exports everyone with a common role that few of the newest have', async () => {
  const { tenant_id } = world.people.adam
  await fillTenant(admin, world.people.adam, PEOPLE + 2_500)
  await admin.query(
    `insert into user_general_roles (tenant_id, user_id, role)
     select $1, id, 'author' from users where tenant_id = $1 order by id limit ${PEOPLE} on conflict do nothing`,
    [tenant_id],
  )
  const { rows } = await admin.query(
    `with authors as (select u.id::int, u.department from users u where u.tenant_id = $1 and exists (
       select from user_general_roles r where r.tenant_id = $1 and r.user_id = u.id and r.role = 'author'))
     select a.*, (select count(*)::int from authors b where b.department = a.department) as colleagues
     from authors a where a.department = 'Sales' order by a.id limit 1`,
    [tenant_id],
  )
  const [oldest] = rows
  await admin.query(`update users set first_name = 'Xaverine' where id = $1`, [oldest.id])
  const ids = (list: { data: { id: number }[] }) => list.data.map(({ id }) => id)
  const newest = await admin.query(
    `select u.id::int from users u where u.tenant_id = $1 and exists (select from user_general_roles r
       where r.tenant_id = $1 and r.user_id = u.id and r.role = 'author') order by u.created_on desc, u.id desc limit 100`,
    [tenant_id],
  )
  const first = await page('/users?role=author', 1)
  expect(ids(first)).toEqual(newest.rows.map(({ id }) => id))
  expect(first.pagination).toEqual({ current_page: 1, ...CAPPED })
  expect(ids(await page('/users?role=author&q=xaverine', 1))).toEqual([oldest.id])
  expect(ids(await page(`/users?role=author&user_ids=${oldest.id}`, 1))).toEqual([oldest.id])
  const sales = await page('/users?role=author&department=Sales', 1)
  expect(sales.pagination.total).toBe(oldest.colleagues)
  const file = await world.call('adam', 'GET', '/users/export?role=author')
  expect(file.text.split('\n').filter((line: string) => line.includes('author'))).toHaveLength(
    (
      await admin.query(`select from user_general_roles where tenant_id = $1 and role = 'author'`, [
        tenant_id,
      ])
    ).rowCount ?? 0,
  )
}, 120_000)

/** The plans of the statements that contain these words, under the application's role. */
async function plansOf(work: (scope: Scope) => Promise<unknown>, words: string): Promise<string[]> {
  const asked: CompiledQuery[] = []
  const watched = new Kysely<DB>({
    dialect: new PostgresDialect({ pool: openPool(world.database.appUrl) }),
    log: ({ query }) => void asked.push(query),
  })
  const plans: string[] = []
  await inScope(watched, toActor(world.people.adam, {}), async (scope) => {
    await work(scope)
    for (const { sql, parameters } of asked.filter(({ sql }) => sql.includes(words))) {
      const { rows } = await scope.db.executeQuery(CompiledQuery.raw(`explain ${sql}`, [...parameters]))
      plans.push(JSON.stringify(rows))
    }
  })
  await watched.destroy()
  return plans
}

it.each(['date', 'name'] as const)(
  'The list of people looks up matches of search words by id, in the order of the %s',
  async (order_by) => {
    const query = { page: 1, per_page: 20, order_by, order: 'asc', q: 'Fischer', role: [] } as const
    const plans = await plansOf((scope) => listUsers(scope, query), '"users"')
    expect(plans).toHaveLength(1)
    const indexes = plans[0]?.matchAll(/Scan (?:Backward )?using (\w+) on users/g) ?? []
    const used = [...indexes].map(([, index = '']) => index)
    expect(used).not.toEqual([])
    expect(used.filter((index) => !['users_pkey', 'users_by_id'].includes(index))).toEqual([])
  },
)

it('An explained figure reads people in index order until the page is full', async () => {
  const query = { figure: 'response', outcome: 'all', q: '', order_by: 'name', order: 'asc' } as const
  const behind = (page: number) => (scope: Scope) => explainFigure(scope, { ...query, page, per_page: 100 })
  const [plan] = await plansOf(behind(1), 'f.responded_at as "answered_at"')
  expect(plan).toContain('using users_by_name on users')
  expect(plan).toContain('Presorted Key: u.last_name, u.first_name, u.id')
  const read = (page: number) => inScope(world.database.app, toActor(world.people.adam, {}), behind(page))
  // Up to a tenth of all rows are read in index order, later ones are sorted.
  const pages = await Promise.all(Array.from({ length: 16 }, (_, nth) => read(nth + 1)))
  const rows = pages.flatMap(({ data }) => data)
  expect(new Set(rows.map(({ occurrence_id }) => occurrence_id)).size).toBe(1600)
  const names = rows.map(byLastName)
  expect(names).toEqual(names.toSorted(compare))
}, 60_000)

it('The audit log reads a page along the index of its order', async () => {
  const [plan] = await plansOf((scope) => listAuditEvents(scope, { page: 2, per_page: 100 }), 'order by "e"')
  expect(plan).toContain('using audit_events_by_time on audit_events')
  expect(plan).not.toContain('Sort')
})

it.each([
  ['date', 'desc', 'journeys_by_date'],
  ['name', 'desc', 'journeys_by_name'],
  ['status', 'desc', 'journeys_by_status'],
  ['category', 'asc', 'journeys_by_category'],
  ['category', 'desc', 'journeys_by_category_desc'],
  ['start_on', 'asc', 'journeys_by_start_on'],
  ['start_on', 'desc', 'journeys_by_start_on_desc'],
] as const)(
  'The list of journeys reads a page by %s, %s, along its index',
  async (order_by, order, index) => {
    const query = { page: 1, per_page: 20, order_by, order, q: '', name: '' } as const
    const all = { category: [], author: [], status: [] }
    const [plan] = await plansOf(async (scope) => {
      // PostgreSQL would sort so few rows.
      await sql`set local enable_sort = off`.execute(scope.db)
      await listJourneys(scope, { ...query, ...all })
    }, 'order by')
    expect(plan).toContain(`using ${index} on journeys`)
    expect(plan).not.toContain('Sort')
  },
)

it.each(['asc', 'desc'] as const)('The list of journeys is sorted by author, %s', async (order) => {
  const { rows } = await admin.query(
    `select j.id::int from journeys j join users u on u.tenant_id = j.tenant_id and u.id = j.author_id
       where j.tenant_id = $1 order by lower(u.last_name || u.first_name) ${order}, j.id ${order}`,
    [world.people.adam.tenant_id],
  )
  const pages = await Promise.all(
    [1, 2].map((number) => page(`/lljs?order_by=author&order=${order}`, number)),
  )
  const ids = pages.flatMap(({ data }) => data.map(({ id }: { id: number }) => id))
  expect(ids.length).toBeGreaterThan(100)
  expect(ids).toEqual(rows.map(({ id }) => id))
})

it('The list of journeys can be searched page by page, by date and by name', async () => {
  type Listed = { id: number; name: string }
  const first = async (query: string): Promise<{ data: Listed[]; pagination: { total: number } }> =>
    world.must('adam', 'GET', `/lljs?per_page=5&${query}`)
  const newest = await first('q=onboarding')
  const oldest = await first('q=onboarding&order=asc')
  const named = await first('name=onboarding&order_by=name&order=asc')
  const { rows } = await admin.query(
    `select id::int, name from journeys where tenant_id = $1 and name like 'Onboarding%' order by created_on desc, id desc`,
    [world.people.adam.tenant_id],
  )
  const ids = rows.map(({ id }) => id)
  const shown = ({ data }: { data: Listed[] }) => data.map(({ id }) => id)
  expect(shown(newest)).toEqual(ids.slice(0, 5))
  expect(shown(await first('q=onboarding&page=2'))).toEqual(ids.slice(5, 10))
  expect(shown(oldest)).toEqual(ids.toReversed().slice(0, 5))
  const names = rows.map(({ name }) => name).toSorted(compare)
  expect(named.data.map(({ name }) => name)).toEqual(names.slice(0, 5))
  for (const { pagination } of [newest, oldest, named]) expect(pagination.total).toBe(ids.length)
  const some = await first('q=onboarding&category=Sales')
  expect(some.pagination.total).toBeLessThan(ids.length)
  expect(some.data.length).toBeGreaterThan(0)
})

/** The total that a list gives, with pages of two so that the rest has to be counted. */
const total = async (path: string) =>
  (await world.must('adam', 'GET', `${path}${path.includes('?') ? '&' : '?'}per_page=2`)).pagination.total

it('The list of journeys counts by status, category and author, and by two of these', async () => {
  const { rows } = await admin.query(
    `select count(*)::int as all, count(*) filter (where status = 'draft')::int as drafts,
       count(*) filter (where status in ('draft', 'completed'))::int as two,
       count(*) filter (where category = 'Safety')::int as safety,
       count(*) filter (where category = 'Safety' and status = 'draft')::int as both,
       count(*) filter (where author_id = $2)::int as own
     from journeys where tenant_id = $1`,
    [world.people.adam.tenant_id, world.people.adam.user_id],
  )
  expect({
    all: await total('/lljs'),
    drafts: await total('/lljs?status=draft'),
    two: await total('/lljs?status=draft&status=completed'),
    safety: await total('/lljs?category=Safety'),
    both: await total('/lljs?category=Safety&status=draft'),
    own: await total(`/lljs?author=${world.people.adam.user_id}`),
  }).toEqual(rows[0])
})

it('The audit log counts events by action, by person and by time', async () => {
  const day = new Date(Date.now() - 5 * 86_400_000).toISOString()
  const { tenant_id, user_id } = world.people.adam
  const { rows } = await admin.query(
    `select count(*) filter (where action = 'user.updated')::int as updated,
       count(*) filter (where action = 'user.updated' and at >= $2)::int as lately,
       count(*) filter (where at < $2)::int as before, count(*) filter (where actor_id = $3)::int as own,
       count(*) filter (where actor_id = $3 and action like 'user.%')::int as both
     from audit_events where tenant_id = $1`,
    [tenant_id, day, user_id],
  )
  expect({
    updated: await total('/audit_events?action=user.updated'),
    lately: await total(`/audit_events?action=user.updated&from=${day}`),
    before: await total(`/audit_events?to=${day}`),
    own: await total(`/audit_events?actor=${user_id}`),
    both: await total(`/audit_events?actor=${user_id}&action=user`),
  }).toEqual(rows[0])
  expect(await total('/audit_events')).toBe(10_000)
})
