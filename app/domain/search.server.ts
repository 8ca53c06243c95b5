/** Search by words, answered by an index under row-level security: `find_ids` in the database. */
import { type Expression, type Selectable, sql } from 'kysely'
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
  /** An array as PostgreSQL writes it, the newest first: ten thousand of them go back as they came. */
  ids: string
  /** `ids` has only the page that was asked for. */
  is_page: boolean
  count: number
  /** Otherwise more rows match: these are of the newest. */
  is_all: boolean
}

type Among = {
  roles?: readonly string[] | undefined
  journey?: number | undefined
  most?: number | undefined
  page?: Part | undefined
}

/** A page of those found where they are listed as they are found: the newest first, or last. */
export type Part = Pick<PageQuery<never>, 'page' | 'per_page' | 'order'>

/** A list is counted and paged through to here, searched or not. */
export const MAX_COUNT = 10_000

/** What is taken away has all that was found, or is refused. */
export const TOO_COMMON = 'These words are too common. Please add another one.'

/** What the words find in the scope; nothing where they have neither a letter nor a digit. */
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

/** Of `ids` and `is_all`: all, or the page alone. */
export function foundIn(page: Part | undefined) {
  const shown = page ? sql`ids[${firstOf(page)}:${firstOf(page)} + ${page.per_page - 1}]` : sql`ids`
  return sql`${shown}::text as ids, ${page !== undefined}::boolean as is_page, cardinality(ids) as count, is_all`
}

const firstOf = (query: Part) =>
  query.order === 'desc'
    ? sql`${offsetOf(query) + 1}::int`
    : sql`(cardinality(ids) + 1 - ${offsetOf(query) + query.per_page}::int)`

/**
 * The rows of a list: all, or those found, which are looked up one by one (decision 69). Asked for with a list of ids
 * and an order, PostgreSQL would go through all rows in that order.
 */
export const rowsOf = <Table extends 'users' | 'members'>(table: Table, found: Found | null) =>
  found === null
    ? sql<Selectable<DB[Table]>>`(select * from ${sql.table(table)})`
    : sql<
        Selectable<DB[Table]>
      >`(select one.* from unnest(${found.ids}::bigint[]) found (id) cross join lateral
        (select * from ${sql.table(table)} t where t.tenant_id = ${scopeTenant} and t.id = found.id offset 0) one)`

/** As far as a list is counted, and one more. */
export async function countUpTo({ db }: Scope, rows: Limitable, most = MAX_COUNT): Promise<number> {
  const some = Number.isFinite(most) ? rows.limit(most + 1) : rows
  const counted = await sql<{ total: number }>`select count(*)::int as total
    from ${some} counted`.execute(db)
  return counted.rows[0]?.total ?? 0
}

/** How many rows a list has: as a page of it tells that is not full, else counted. `shown`: the rows of the page. */
export async function countWithPage(
  scope: Scope,
  rows: Limitable,
  query: Page,
  shown: number,
): Promise<number> {
  const before = offsetOf(query)
  const isEnd = shown < query.per_page && (shown > 0 || before === 0)
  return isEnd ? before + shown : countUpTo(scope, rows)
}

type Page = { page: number; per_page: number }
type Limitable = Expression<unknown> & { limit: (most: number) => Expression<unknown> }

/** How many rows a page shows: none behind the end of counting, to which an offset would walk past all before. */
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
