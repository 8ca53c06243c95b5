/** The state of each lift of a journey for each of its learners. */
import { type RawBuilder, sql } from 'kysely'
import { paginate } from '../../page.ts'
import type { Scope } from '../../scope/scope.server.ts'
import { MAX_COUNT } from '../../search.server.ts'
import { requireSubjects } from '../filters.server.ts'
import { countLearners, countUncompleted } from '../learner-counts.server.ts'
import { readLearnersByName } from '../learners-by-name.server.ts'
import { asOf, conditionsAt, selectFacts } from '../population.server.ts'
import type { AnalyticsFilters } from '../query.ts'
import { sumsOf } from '../sums.server.ts'
import { type Cell, type Grid, type GridQuery, MAX_GRID_LIFTS } from './pictures.ts'

/** Lists at most the first `most` learners. */
export async function getGrid(
  scope: Scope,
  journey: number,
  asked: GridQuery,
  most = MAX_COUNT,
): Promise<Grid> {
  const query = { ...asked, journey }
  const as_of = await asOf(scope, query)
  await requireSubjects(scope, query)
  const is = conditionsAt(as_of, query)
  const facts = selectFacts(scope, query, as_of)
  const open = await countUncompleted(scope, query, as_of)
  const { learners, total, cap } = await readLearnersByName(
    scope,
    { ...query, q: '', order: 'asc' },
    as_of,
    most,
  )
  const all = cap === undefined ? total : await countLearners(scope, query, as_of)
  const { lifts, lifts_total } = await readLifts(scope, query, as_of)
  const cells = await facts
    .where('f.member_id', '=', sql<number>`any(${learners.flatMap(({ members }) => members)}::bigint[])`)
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
    done: { n: all - open, d: all },
    lifts,
    learners: learners.map(({ user_id, name }) => ({
      ...{ user_id, name },
      cells: lifts.map(({ lift_id }) => at.get(`${user_id} ${lift_id}`) ?? null),
    })),
    pagination: paginate(total, query, cap),
    lifts_pagination: paginate(lifts_total, { page: query.lifts_page, per_page: MAX_GRID_LIFTS }),
  }
}

type Lifts = { lifts: Grid['lifts']; lifts_total: number }

/** From the tallies of lifts, or from the facts where the tallies cannot answer. */
async function readLifts(scope: Scope, query: GridQuery & AnalyticsFilters, as_of: Date): Promise<Lifts> {
  const { page: _page, per_page: _per_page, lifts_page, ...filters } = query
  const facts = selectFacts(scope, query, as_of).select(['f.lift_id', sql`1`.as('assigned')])
  const counted: RawBuilder<unknown> = sumsOf(scope, filters, as_of) ?? sql`(${facts})`
  const { rows } = await sql<Lifts>`
    with due as (select lift_id from ${counted} counted group by lift_id having sum(assigned) > 0),
    shown as (select l.id as lift_id, l.title, row_number() over (order by l.position, l.id) as place
      from due join lifts l on l.id = due.lift_id order by place
      limit ${MAX_GRID_LIFTS} offset ${(lifts_page - 1) * MAX_GRID_LIFTS})
    select (select count(*) from due) as lifts_total,
      coalesce((select jsonb_agg(to_jsonb(shown) - 'place' order by place) from shown), '[]') as lifts`.execute(
    scope.db,
  )
  return rows[0] ?? { lifts: [], lifts_total: 0 }
}
