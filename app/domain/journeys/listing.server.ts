/** The list of journeys. */
import { type RawBuilder, sql } from 'kysely'
import { offsetOf } from '#app/domain/page.ts'
import type { Actor } from '../access/actor.ts'
import { mayManageJourneys, maySeeAllJourneys } from '../access/journeys.ts'
import { forbidden } from '../errors.ts'
import type { Scope } from '../scope/scope.server.ts'
import { countWithPage, type Found, findIds, limitOf, MAX_COUNT, paginateFound } from '../search.server.ts'
import { findAuthors } from './authors.server.ts'
import type { JourneyQuery, JourneyRow } from './journey.ts'
import { selectJourneys, toRow } from './rows.server.ts'

export async function listJourneys(scope: Scope, query: JourneyQuery) {
  if (!mayManageJourneys(scope.actor)) throw forbidden()
  const searches = [query.name, query.q].filter((words) => words !== '')
  const isSearchAlone = searches.length === 1 && !isNarrowed(scope.actor, query)
  // The search is in the order of the list by date, so that a page of the list is a page of the search.
  const page = isSearchAlone && query.order_by === 'date' ? query : undefined
  const founds: Found[] = []
  for (const words of searches) founds.push(await findIds(scope, 'journeys', words, { page }))

  const wanted = matches(scope.actor, query, founds)
  const authors = founds.length === 0 ? await authorsInOrder(scope, query) : null
  const rows = authors
    ? await readByAuthor(scope, query, wanted, authors)
    : await readInOrder(scope, query, wanted, page ? 0 : offsetOf(query))
  const [found] = founds
  const total = found && isSearchAlone ? found.count : await count(scope, query, wanted, founds, rows.length)
  const data: JourneyRow[] = rows.map((row) => toRow(scope.actor, row))
  return { data, pagination: paginateFound(total, query, ...founds) }
}

const isNarrowed = (actor: Actor, { status, category, author }: JourneyQuery) =>
  !maySeeAllJourneys(actor) || [status, category, author].some((values) => values.length > 0)

function matches(actor: Actor, { status, category, author }: JourneyQuery, founds: readonly Found[]) {
  const conditions = founds.map(({ ids }) => sql`j.id = any(${ids}::bigint[])`)
  if (!maySeeAllJourneys(actor)) conditions.push(sql`j.author_id = ${actor.user_id}`)
  if (category.length > 0) conditions.push(sql`j.category = any(${category}::text[])`)
  if (author.length > 0) conditions.push(sql`j.author_id = any(${author}::bigint[])`)
  if (status.length > 0) conditions.push(sql`j.status = any(${status}::text[])`)
  return sql<boolean>`${conditions.length > 0 ? sql.join(conditions, sql` and `) : sql`true`}`
}

type Wanted = RawBuilder<boolean>

/** Nulls come last only for columns that can be null: the indexes of the others are in the plain order. */
const COLUMNS = {
  date: sql`j.created_on`,
  name: sql`lower(j.name)`,
  status: sql`j.status`,
  category: sql`lower(j.category)`,
  author: sql`lower(u.last_name || u.first_name)`,
  start_on: sql`j.start_on`,
}
const MAY_BE_MISSING = new Set<JourneyQuery['order_by']>(['author', 'category', 'start_on'])

const readInOrder = (scope: Scope, query: JourneyQuery, wanted: Wanted, offset: number) =>
  selectJourneys(scope)
    .where(wanted)
    .orderBy(COLUMNS[query.order_by], (order) => {
      const turned = query.order === 'asc' ? order.asc() : order.desc()
      return MAY_BE_MISSING.has(query.order_by) ? turned.nullsLast() : turned
    })
    .orderBy('j.id', query.order)
    .limit(limitOf(query))
    .offset(offset)
    .execute()

/** Inside a sub-tenant some authors are hidden, and their journeys come last. */
const authorsInOrder = async (scope: Scope, { order_by, author }: JourneyQuery) =>
  order_by !== 'author' || scope.actor.sub_tenant_id !== null || !maySeeAllJourneys(scope.actor)
    ? null
    : author.length > 0
      ? author
      : findAuthors(scope)

/** Author after author until the page is full: otherwise the journeys of all of them would be sorted. */
function readByAuthor(scope: Scope, query: JourneyQuery, wanted: Wanted, authors: readonly number[]) {
  const { order } = query
  const [limit, offset] = [limitOf(query), offsetOf(query)]
  const page = scope.db
    .selectFrom('users as u')
    .innerJoinLateral(
      (journeys) =>
        journeys
          .selectFrom('journeys as j')
          .whereRef('j.author_id', '=', 'u.id')
          .where(wanted)
          .select('j.id')
          .orderBy('j.id', order)
          .limit(limit === 0 ? 0 : offset + limit)
          .as('j'),
      (join) => join.onTrue(),
    )
    .where(sql<boolean>`u.id = any(${authors}::bigint[])`)
    .select('j.id')
    .orderBy(COLUMNS.author, order)
    .orderBy('j.id', order)
    .limit(limit)
    .offset(offset)
  // The other columns are read for this page only, not for everything that is sorted.
  return selectJourneys(scope)
    .where(sql<boolean>`j.id = any(array(${page}))`)
    .orderBy(COLUMNS.author, order)
    .orderBy('j.id', order)
    .execute()
}

function count(scope: Scope, query: JourneyQuery, wanted: Wanted, founds: readonly Found[], shown: number) {
  const rows = scope.db.selectFrom('journeys as j').where(wanted).select('j.id')
  const byIndex = founds.length > 0 ? null : countByIndex(scope.actor, query)
  return countWithPage(scope, rows, query, shown, MAX_COUNT, byIndex)
}

function countByIndex(actor: Actor, { status, category, author }: JourneyQuery) {
  if (!maySeeAllJourneys(actor) && author.length > 0) return null
  const given = <Value>(values: readonly Value[]) => (values.length > 0 ? values : null)
  const authors = maySeeAllJourneys(actor) ? given(author) : [actor.user_id]
  return sql<
    number | null
  >`count_journeys(${MAX_COUNT + 1}, ${given(status)}::text[], ${given(category)}::text[],
    ${authors}::bigint[])`
}
