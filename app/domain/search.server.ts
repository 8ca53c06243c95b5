/** Search by words, answered by an index under row-level security: `find_ids` in the database. */
import { type Expression, type RawBuilder, type Selectable, sql } from 'kysely'
import type { DB } from '#app/db/schema.ts'
import { offsetOf, type PageQuery, paginate } from './page.ts'
import { type Scope, scopeTenant } from './scope/scope.server.ts'

export type Noun =
  | 'users'
  | 'participants'
  | 'journeys'
  | 'lifts'
  | 'prompts'
  | 'assessments'
  | 'files'
  | 'user_imports'
  | 'audited subjects'
  | 'audited actors'
  | 'tenants'
  | 'sub_tenants'

export type Found = {
  /** A PostgreSQL array literal, newest first: up to ten thousand ids go back into queries without being parsed. */
  ids: string
  /** `ids` holds only the requested page. */
  is_page: boolean
  count: number
  /** False: more rows match, and `ids` holds the newest. */
  is_all: boolean
}

type Among = {
  roles?: readonly string[] | undefined
  journey?: number | undefined
  most?: number | undefined
  page?: Part | undefined
}

/** A page of the matches, for lists that are in the order of the search: newest or oldest first. */
export type Part = Pick<PageQuery<never>, 'page' | 'per_page' | 'order'>

/** No list is counted or paged through beyond this, searched or not. */
export const MAX_COUNT = 10_000

/** An export contains every match, or is refused. */
export const TOO_COMMON = 'These words are too common. Please add another one.'

/** Searches the scope for the words; without a letter or digit in them, nothing is found. */
export async function findIds(scope: Scope, noun: Noun, words: string, among: Among = {}): Promise<Found> {
  const found = await findInEach(scope, [noun], words, among)
  return found.get(noun) ?? { ids: '{}', is_page: false, count: 0, is_all: true }
}

export async function findInEach(
  { db }: Scope,
  nouns: readonly Noun[],
  words: string,
  { roles = [], journey, most = MAX_COUNT, page }: Among = {},
): Promise<Map<Noun, Found>> {
  const of = roles.length > 0 ? roles : null
  const { rows } = await sql<
    Found & { noun: Noun }
  >`select noun, ${foundIn(page)} from unnest(${nouns}::text[]) noun,
    find_ids(noun, ${words.replaceAll('\0', '').replace(/\s+/g, ' ')}, ${most}, ${of}::text[], ${journey ?? null}::bigint)`.execute(
    db,
  )
  return new Map(rows.map(({ noun, ...found }) => [noun, found]))
}

/** Selects all of `ids`, or only the requested page of them. */
export function foundIn(page: Part | undefined, count = sql`cardinality(ids)`) {
  const shown = page ? sql`ids[${firstOf(page)}:${firstOf(page)} + ${page.per_page - 1}]` : sql`ids`
  return sql`${shown}::text as ids, ${page !== undefined}::boolean as is_page, ${count} as count, is_all`
}

const firstOf = (query: Part) =>
  query.order === 'desc'
    ? sql`${offsetOf(query) + 1}::int`
    : sql`(cardinality(ids) + 1 - ${offsetOf(query) + query.per_page}::int)`

/**
 * The rows of a list: all, or the matches, each looked up by its id (decision 69). Given a list of ids and an order,
 * PostgreSQL would scan all rows in that order.
 */
export const rowsOf = <Table extends 'users' | 'members'>(table: Table, found: Pick<Found, 'ids'> | null) =>
  found === null
    ? sql<Selectable<DB[Table]>>`(select * from ${sql.table(table)})`
    : sql<
        Selectable<DB[Table]>
      >`(select one.* from unnest(${found.ids}::bigint[]) found (id) cross join lateral
        (select * from ${sql.table(table)} t where t.tenant_id = ${scopeTenant} and t.id = found.id offset 0) one)`

/**
 * Counts up to one more than the limit, which tells that there are more rows. `byIndex`: a function of the database that
 * counts the same faster, or returns null.
 */
export async function countUpTo(
  { db }: Scope,
  rows: Limitable,
  most = MAX_COUNT,
  byIndex: RawBuilder<number | null> | null = null,
): Promise<number> {
  if (byIndex) {
    const known = await sql<{ total: number | null }>`select ${byIndex} as total`.execute(db)
    const total = known.rows[0]?.total ?? null
    if (total !== null) return total
  }
  const counted = await sql<{ total: number }>`select count(*)::int as total
    from ${upTo(rows, most)} counted`.execute(db)
  return counted.rows[0]?.total ?? 0
}

/**
 * The number of rows of a list: known from a page that is not full, otherwise counted. `shown`: the rows of the page.
 */
export async function countWithPage(
  scope: Scope,
  rows: Limitable,
  query: Page,
  shown: number,
  most = MAX_COUNT,
  byIndex: RawBuilder<number | null> | null = null,
): Promise<number> {
  const before = offsetOf(query)
  const isEnd = shown < query.per_page && (shown > 0 || before === 0)
  return isEnd ? before + shown : countUpTo(scope, rows, most, byIndex)
}

/** The same as a column of the page itself; an empty page has none. */
export const totalWithPage = (rows: Limitable, query: Page, most = MAX_COUNT) =>
  sql<number>`case when count(*) over () < ${query.per_page} then ${offsetOf(query)} + count(*) over ()
    else (select count(*) from ${upTo(rows, most)} counted) end`

const upTo = (rows: Limitable, most: number) => (Number.isFinite(most) ? rows.limit(most + 1) : rows)

type Page = { page: number; per_page: number }
type Limitable = Expression<unknown> & { limit: (most: number) => Expression<unknown> }

/** The limit for a page: 0 beyond the counted rows, where an offset would have to skip all rows before it. */
export const limitOf = (query: Page, most = MAX_COUNT): number =>
  offsetOf(query) < most ? query.per_page : 0

/** `total`: how many of the found rows the list has. */
export const paginateFound = (
  total: number,
  query: { page: number; per_page: number },
  ...founds: readonly (Found | null)[]
) =>
  founds.every((found) => !found || found.is_all)
    ? paginate(total, query, MAX_COUNT)
    : paginate(total + 1, query, total)
