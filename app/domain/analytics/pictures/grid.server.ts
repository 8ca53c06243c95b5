/** How each learner of a journey fares with each of its lifts. */
import { sql } from 'kysely'
import { paginate } from '../../page.ts'
import type { Scope } from '../../scope.server.ts'
import { nameOfLearner } from '../../users/learner-name.server.ts'
import { requireSubjects } from '../filters.server.ts'
import { asOf, conditionsAt, selectFacts } from '../population.server.ts'
import { type Cell, type Grid, type GridQuery, MAX_GRID_LIFTS } from './pictures.ts'

export async function getGrid(scope: Scope, journey: number, asked: GridQuery): Promise<Grid> {
  const query = { ...asked, journey }
  const as_of = await asOf(scope, query)
  await requireSubjects(scope, query)
  const is = conditionsAt(as_of, query)
  const facts = selectFacts(scope, query, as_of)
  const people = await sql<{ all: number; done: number }>`
    select count(*) as all, count(*) filter (where done) as done from (
      ${facts.select(['f.user_id', sql`bool_and(coalesce(${is.completed}, false))`.as('done')]).groupBy('f.user_id')}
    ) people`.execute(scope.db)
  const { all = 0, done = 0 } = people.rows[0] ?? {}
  const lifts_total = await facts
    .select(sql<number>`count(distinct f.lift_id)`.as('many'))
    .executeTakeFirstOrThrow()
  const learners = await facts
    .leftJoin('users as u', 'u.id', 'f.user_id')
    .select(['f.user_id', nameOfLearner.as('name')])
    .groupBy(['f.user_id', 'u.id', 'u.first_name', 'u.last_name'])
    .orderBy(sql`lower(u.last_name), lower(u.first_name)`)
    .orderBy('f.user_id')
    .limit(query.per_page)
    .offset((query.page - 1) * query.per_page)
    .execute()
  const lifts = await facts
    .innerJoin('lifts as l', 'l.id', 'f.lift_id')
    .select(['f.lift_id', 'l.title'])
    .groupBy(['f.lift_id', 'l.title', 'l.position'])
    .orderBy('l.position')
    .orderBy('f.lift_id')
    .limit(MAX_GRID_LIFTS)
    .offset((query.lifts_page - 1) * MAX_GRID_LIFTS)
    .execute()
  const cells = await facts
    .where('f.user_id', '=', sql<number>`any(${learners.map(({ user_id }) => user_id)}::bigint[])`)
    .where('f.lift_id', '=', sql<number>`any(${lifts.map(({ lift_id }) => lift_id)}::bigint[])`)
    .select(['f.user_id', 'f.lift_id'])
    .select(
      sql<Cell>`case when ${is.completed} then 'completed' when ${is.responded} then 'answered'
        when ${is.opened} then 'opened' when ${is.accepted} then 'sent' when ${is.pending} then 'waiting' when ${is.unknown} then 'unknown'
        else 'not_sent' end`.as('cell'),
    )
    .execute()
  const at = new Map(cells.map(({ user_id, lift_id, cell }) => [`${user_id} ${lift_id}`, cell]))
  return {
    as_of: as_of.toISOString(),
    done: { n: done, d: all },
    lifts,
    learners: learners.map((learner) => ({
      ...learner,
      cells: lifts.map(({ lift_id }) => at.get(`${learner.user_id} ${lift_id}`) ?? null),
    })),
    pagination: paginate(all, query),
    lifts_pagination: paginate(lifts_total.many, { page: query.lifts_page, per_page: MAX_GRID_LIFTS }),
  }
}
