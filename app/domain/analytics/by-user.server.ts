/** The report by learner: by name a page of people is found first, and only their facts are counted. */
import { type SqlBool, sql } from 'kysely'
import { offsetOf, paginate } from '../page.ts'
import type { Scope } from '../scope.server.ts'
import { findIds, limitOf, MAX_COUNT } from '../search.server.ts'
import { nameOfLearner } from '../users/learner-name.server.ts'
import { type ByUser, type Counted, figuresOf } from './figures.ts'
import { requireSubjects } from './filters.server.ts'
import { countLearners, selectLearners } from './learners.server.ts'
import { asOf, countColumns, selectFacts } from './population.server.ts'
import type { AnalyticsQuery } from './query.ts'
import { requireFew } from './sums.server.ts'
import { ACTIVITY, inOrderOfSums, nameContains } from './table-order.server.ts'

/** Where there are more than `most`, no further than these. */
export async function getByUser(scope: Scope, query: AnalyticsQuery, most = MAX_COUNT): Promise<ByUser> {
  const as_of = await asOf(scope, query)
  await requireSubjects(scope, query)
  const { rows, total, cap } = await read(scope, query, as_of, most)
  return {
    as_of: as_of.toISOString(),
    data: rows.map(({ user_id, name, last_activity, ...counts }) => ({
      ...{ user_id, name },
      last_activity: last_activity?.toISOString() ?? null,
      ...figuresOf(counts),
    })),
    pagination: paginate(total, query, cap),
  }
}

/** `cap`: where counting stopped, if it did. */
type Read = { rows: Row[]; total: number; cap?: number }
type Row = Counted & { user_id: number; name: string; last_activity: Date | null }

async function read(scope: Scope, query: AnalyticsQuery, as_of: Date, most: number): Promise<Read> {
  if (query.order_by !== 'name')
    return { rows: await readByFigure(scope, query, as_of), total: await countPeople(scope, query, as_of) }
  // Inside a sub-tenant not everybody who learns is seen among the people.
  const isCrowd =
    scope.actor.sub_tenant_id === null &&
    most === MAX_COUNT &&
    (await countLearners(scope, query, as_of, undefined, most)) > most
  return isCrowd ? await readCrowd(scope, query, as_of) : await readByName(scope, query, as_of)
}

function people(scope: Scope, query: AnalyticsQuery, as_of: Date) {
  const all = selectLearners(scope, query, as_of).leftJoin('users as u', 'u.id', 'p.user_id')
  return query.q ? all.where(nameContains(query.q)) : all
}

const BY_NAME = sql`lower(u.last_name), lower(u.first_name)`

async function countPeople(scope: Scope, query: AnalyticsQuery, as_of: Date): Promise<number> {
  const { total } = await people(scope, query, as_of)
    .select(sql<number>`count(distinct p.user_id)`.as('total'))
    .executeTakeFirstOrThrow()
  return total
}

async function readByName(scope: Scope, query: AnalyticsQuery, as_of: Date): Promise<Read> {
  const page = await people(scope, query, as_of)
    .select(['p.user_id', nameOfLearner.as('name')])
    .select(sql<number[]>`array_agg(p.member_id)`.as('members'))
    .select(sql<number>`count(*) over ()`.as('total'))
    .groupBy(['p.user_id', 'u.id', 'u.first_name', 'u.last_name'])
    .orderBy(inOrderOfSums(query, BY_NAME))
    .orderBy('p.user_id')
    .limit(query.per_page)
    .offset(offsetOf(query))
    .execute()
  const rows = await countEach(scope, query, as_of, page)
  // A page that is not there tells nothing.
  return { rows, total: page[0]?.total ?? (await countPeople(scope, query, as_of)) }
}

/** Of so many that sorting them takes long, people are met in the order of their names until the page is full. */
async function readCrowd(scope: Scope, query: AnalyticsQuery, as_of: Date): Promise<Read> {
  const learners = selectLearners(scope, query, as_of)
  const theirs = learners.where(sql<SqlBool>`p.user_id = u.id`).select(sql`1`.as('one'))
  let met = scope.db.selectFrom('users as u').where(({ exists }) => exists(theirs.offset(0)))
  // An index finds three letters wherever they stand, fewer only where words begin.
  const found = query.q.length > 2 ? await findIds(scope, 'users', query.q) : null
  if (found?.is_all) met = met.where(sql<SqlBool>`u.id = any(${found.ids}::bigint[])`)
  if (query.q) met = met.where(nameContains(query.q))
  const some = met.select('u.id').limit(MAX_COUNT + 1)
  const { total } = await scope.db
    .selectFrom(some.as('some'))
    .select(sql<number>`count(*)`.as('total'))
    .executeTakeFirstOrThrow()
  const page = await met
    .select(['u.id as user_id', nameOfLearner.as('name')])
    .orderBy('u.last_name', query.order)
    .orderBy('u.first_name', query.order)
    .orderBy('u.id', query.order)
    .limit(limitOf(query))
    .offset(offsetOf(query))
    .execute()
  const members = await learners
    .where('p.user_id', '=', sql<number>`any(${page.map(({ user_id }) => user_id)}::bigint[])`)
    .select(['p.user_id', 'p.member_id'])
    .execute()
  const of = Map.groupBy(members, ({ user_id }) => user_id)
  const whole = page.map((one) => ({
    ...one,
    members: of.get(one.user_id)?.map(({ member_id }) => member_id) ?? [],
  }))
  return { rows: await countEach(scope, query, as_of, whole), total, cap: MAX_COUNT }
}

type Learner = { user_id: number; name: string; members: number[] }

async function countEach(
  scope: Scope,
  query: AnalyticsQuery,
  as_of: Date,
  page: readonly Learner[],
): Promise<Row[]> {
  const members = page.flatMap((one) => one.members)
  const counted = await selectFacts(scope, query, as_of)
    .where('f.member_id', '=', sql<number>`any(${members}::bigint[])`)
    .select(['f.user_id', ACTIVITY.as('last_activity')])
    .select(countColumns(as_of, query))
    .groupBy('f.user_id')
    .execute()
  const of = new Map(counted.map((row) => [row.user_id, row]))
  return page.flatMap(({ user_id, name }) => {
    const counts = of.get(user_id)
    return counts ? [{ ...counts, name }] : []
  })
}

async function readByFigure(scope: Scope, query: AnalyticsQuery, as_of: Date): Promise<Row[]> {
  await requireFew(scope, query, as_of)
  let facts = selectFacts(scope, query, as_of)
  if (query.q)
    facts = facts.where('f.user_id', 'in', (eb) =>
      eb.selectFrom('users as u').select('u.id').where(nameContains(query.q)),
    )
  return scope.db
    .selectFrom(
      facts
        .select(['f.user_id', ACTIVITY.as('last_activity')])
        .select(countColumns(as_of, query))
        .groupBy('f.user_id')
        .as('counted'),
    )
    .leftJoin('users as u', 'u.id', 'counted.user_id')
    .selectAll('counted')
    .select(nameOfLearner.as('name'))
    .orderBy(inOrderOfSums(query, BY_NAME))
    .orderBy('counted.user_id')
    .limit(query.per_page)
    .offset(offsetOf(query))
    .execute()
}
