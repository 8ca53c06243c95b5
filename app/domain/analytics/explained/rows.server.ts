/** A page of the lifts of people behind a figure. */
import { sql } from 'kysely'
import { offsetOf } from '../../page.ts'
import type { Scope } from '../../scope/scope.server.ts'
import { nameOfLearner } from '../../users/learner-name.server.ts'
import { isCrowd, selectLearners } from '../learners.server.ts'
import { respondedAt } from '../population.server.ts'
import type { ExplainQuery } from './explained.ts'
import type { Asked } from './named.server.ts'

export async function readExplainedRows(scope: Scope, asked: Asked) {
  const { query, facts, parts } = asked
  const answered_at = respondedAt(query)
  const { journey, user, order_by } = query
  const isOfCrowd = order_by === 'name' && (await isCrowd(scope, { journey, user }, asked.as_of))
  const people = isOfCrowd ? crowdInOrder(scope, asked) : peopleInOrder(scope, asked)
  return facts
    .innerJoin(people, 'p.member_id', 'f.member_id')
    .innerJoin('lifts as l', 'l.id', 'f.lift_id')
    .innerJoin('journeys as j', 'j.id', 'f.journey_id')
    .select(['f.occurrence_id', 'f.user_id', 'p.name', 'f.journey_id', 'j.name as journey'])
    .select(['f.lift_id', 'l.title as lift', 'f.due_at', 'f.accepted_at', 'f.delivered_at', 'f.opened_at'])
    .select(['f.completed_at', 'f.delivery', answered_at.as('answered_at')])
    .select(sql<boolean>`coalesce(${parts.counts}, false)`.as('counts'))
    .orderBy(inOrder(query, answered_at))
    .orderBy('f.occurrence_id')
    .limit(query.per_page)
    .offset(offsetOf(query))
    .execute()
}

const among = (people: ReturnType<typeof selectLearners>, named: Asked['named']) =>
  named && named.lifts.length === 0
    ? people.where('p.member_id', '=', sql<number>`any(${named.members}::bigint[])`)
    : people

/** By name, which is how people look at it first, facts are read only of as many people as fill the page. */
function peopleInOrder(scope: Scope, { query, as_of, named }: Asked) {
  const { journey, user, order } = query
  return among(selectLearners(scope, { journey, user }, as_of), named)
    .leftJoin('users as u', 'u.id', 'p.user_id')
    .select(['p.member_id', 'p.user_id', nameOfLearner.as('name')])
    .select([sql`lower(u.last_name)`.as('last'), sql`lower(u.first_name)`.as('first')])
    .orderBy(byName(order, 'last', 'first', 'p.user_id'))
    .as('p')
}

/** In the order of the list of people, which an index has: rows are read until the page is full. */
const crowdInOrder = (scope: Scope, { query: { journey, user }, as_of, named }: Asked) =>
  among(selectLearners(scope, { journey, user }, as_of), named)
    .innerJoin('users as u', 'u.id', 'p.user_id')
    .select([
      'p.member_id',
      'p.user_id',
      nameOfLearner.as('name'),
      'u.last_name as last',
      'u.first_name as first',
    ])
    .as('p')

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
