/** A page of the occurrences behind a figure. */
import { sql } from 'kysely'
import { rowById } from '#app/db/row-by-id.server.ts'
import { offsetOf } from '../../page.ts'
import type { Scope } from '../../scope/scope.server.ts'
import { MAX_COUNT } from '../../search.server.ts'
import { nameOfLearner } from '../../text/learner-name.server.ts'
import { failureCode } from '../failure-code.server.ts'
import { isCrowd } from '../learner-counts.server.ts'
import { selectLearners } from '../learners.server.ts'
import { respondedAt } from '../population.server.ts'
import type { ExplainQuery } from './explained.ts'
import type { Asked } from './named.server.ts'

const HINDERED = sql`f.delivery not in ('accepted', 'pending')`

/** `total`: the number of rows, or a higher estimate. */
export async function readExplainedRows(scope: Scope, asked: Asked, total: number) {
  const { query, parts } = asked
  const answered_at = respondedAt(query)
  const { journey, user, order_by } = query
  const isOfCrowd = order_by === 'name' && (await isCrowd(scope, { journey, user }, asked.as_of))
  const isDense = isOfCrowd && areMany(asked, total)
  return (isDense ? oneByOne(scope, asked) : allInOrder(scope, asked, isOfCrowd))
    .select(['f.occurrence_id', 'f.user_id', 'p.name', 'f.journey_id', 'j.name as journey'])
    .select(['f.lift_id', 'l.title as lift', 'f.due_at', 'f.accepted_at', 'f.delivered_at', 'f.opened_at'])
    .select(['f.completed_at', 'f.delivery', answered_at.as('answered_at')])
    .select(sql<boolean>`coalesce(${parts.counts}, false)`.as('counts'))
    .select(sql<string | null>`case when ${HINDERED} then ${failureCode} end`.as('code'))
    .select(sql<boolean>`${HINDERED}`.as('is_hindered'))
    .orderBy(isDense ? sql`${byName(query.order, ...OF_INDEX)}, f.due_at` : inOrder(query, answered_at))
    .orderBy('f.occurrence_id')
    .limit(query.per_page)
    .offset(offsetOf(query))
    .execute()
}

/** Whether enough rows match to walk the index of people and find a full page soon. */
const areMany = ({ query, named }: Asked, total: number): boolean =>
  !named && total >= MAX_COUNT && (offsetOf(query) + query.per_page) * 10 <= total

const among = (people: ReturnType<typeof selectLearners>, named: Asked['named']) =>
  named && named.lifts.length === 0
    ? people.where('p.member_id', '=', sql<number>`any(${named.members}::bigint[])`)
    : people

/** By name, the default order. For a crowd, by name as the index of people sorts it, where upper and lower case differ. */
function allInOrder(scope: Scope, { query, facts, as_of, named }: Asked, isOfCrowd: boolean) {
  const { journey, user, order } = query
  const lower = (name: string) => (isOfCrowd ? sql.ref(name) : sql`lower(${sql.ref(name)})`)
  const people = among(selectLearners(scope, { journey, user }, as_of), named)
    .leftJoin('users as u', 'u.id', 'p.user_id')
    .select(['p.member_id', 'p.user_id', nameOfLearner.as('name')])
    .select([lower('u.last_name').as('last'), lower('u.first_name').as('first')])
    .orderBy(byName(order, 'last', 'first', 'p.user_id'))
    .as('p')
  return facts
    .innerJoin(people, 'p.member_id', 'f.member_id')
    .innerJoin('lifts as l', 'l.id', 'f.lift_id')
    .innerJoin('journeys as j', 'j.id', 'f.journey_id')
}

/** The columns of the index `users_by_name`. */
const OF_INDEX = ['u.last_name', 'u.first_name', 'u.id']

/**
 * Walks the index of people by name until the page is full. However few rows PostgreSQL expects, the offsets keep it
 * from reading all of them first.
 */
function oneByOne(scope: Scope, { query: { journey, user }, facts, as_of }: Asked) {
  const theirs = selectLearners(scope, { journey, user }, as_of)
    .select(['p.member_id', 'p.user_id', nameOfLearner.as('name')])
    .where('p.user_id', '=', sql<number>`u.id`)
    .offset(0)
    .as('p')
  const ofThem = facts.selectAll('f').where('f.member_id', '=', sql<number>`p.member_id`).offset(0).as('f')
  return scope.db
    .selectFrom('users as u')
    .innerJoinLateral(theirs, (join) => join.onTrue())
    .innerJoinLateral(ofThem, (join) => join.onTrue())
    .innerJoinLateral(rowById('lifts', 'f.lift_id').as('l'), (join) => join.onTrue())
    .innerJoinLateral(rowById('journeys', 'f.journey_id').as('j'), (join) => join.onTrue())
}

const byName = (order: ExplainQuery['order'], ...columns: string[]) =>
  sql.join(columns.map((column) => sql`${sql.ref(column)} ${sql.raw(order === 'desc' ? 'desc' : 'asc')}`))

function inOrder({ order_by, order }: ExplainQuery, answered_at: ReturnType<typeof respondedAt>) {
  const direction = sql.raw(order === 'desc' ? 'desc' : 'asc')
  const by = {
    name: sql`${byName(order, 'p.last', 'p.first', 'p.user_id')}, f.due_at`,
    lift: sql`row(j.name, l.position) ${direction}, p.last`,
    due: sql`f.due_at ${direction}`,
    answered: sql`${answered_at} ${direction} nulls last`,
    completed: sql`f.completed_at ${direction} nulls last`,
  }
  return by[order_by]
}
