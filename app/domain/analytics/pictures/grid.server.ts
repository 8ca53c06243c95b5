/** The state of each lift of a journey for each of its learners. */
import { type RawBuilder, sql } from 'kysely'
import { paginate } from '../../page.ts'
import type { Scope } from '../../scope/scope.server.ts'
import { MAX_COUNT } from '../../search.server.ts'
import { requireSubjects } from '../filters.server.ts'
import { countLearners, selectUncompletedCount } from '../learner-counts.server.ts'
import { countPeople, type NamedLearner, readCrowd, selectByName } from '../learners-by-name.server.ts'
import { asOf, conditionsAt, selectFacts } from '../population.server.ts'
import { rowsAsJson } from '../rows-as-json.server.ts'
import { requireFew, sumsOf } from '../sums.server.ts'
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
  const named = { ...query, q: '', order: 'asc' as const }
  const crowd = await readCrowd(scope, named, as_of, most)
  const { open, lifts, lifts_total, ...read } = await readSides(
    scope,
    query,
    as_of,
    crowd ? null : sql`${selectByName(scope, named, as_of)}`,
  )
  const learners = crowd?.learners ?? read.learners
  const total = crowd?.total ?? read.learners[0]?.total ?? (await countPeople(scope, named, as_of))
  const all = crowd ? await countLearners(scope, query, as_of) : total
  // With the learners and lifts known, PostgreSQL chooses the index that has fewer of the facts.
  const cells = await selectFacts(scope, query, as_of)
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
    pagination: paginate(total, query, crowd?.cap),
    lifts_pagination: paginate(lifts_total, { page: query.lifts_page, per_page: MAX_GRID_LIFTS }),
  }
}

type Sides = {
  open: number
  lifts: Grid['lifts']
  lifts_total: number
  learners: (NamedLearner & { total: number })[]
}

/** Lifts from the tallies, or from the facts where the tallies cannot answer; learners unless they are known. */
async function readSides(
  scope: Scope,
  query: GridQuery & { journey: number },
  as_of: Date,
  people: RawBuilder<unknown> | null,
): Promise<Sides> {
  const { page: _page, per_page: _per_page, lifts_page, ...filters } = query
  const sums = sumsOf(scope, filters, as_of)
  if (!sums) await requireFew(scope, query, as_of)
  const facts = selectFacts(scope, query, as_of).select(['f.lift_id', sql`1`.as('assigned')])
  const counted: RawBuilder<unknown> = sums ?? sql`(${facts})`
  const { rows } = await sql<Sides>`
    with due as (select lift_id from ${counted} counted group by lift_id having sum(assigned) > 0),
    shown as (select l.id as lift_id, l.title, row_number() over (order by l.position, l.id) as place
      from due join lifts l on l.id = due.lift_id order by place
      limit ${MAX_GRID_LIFTS} offset ${(lifts_page - 1) * MAX_GRID_LIFTS})
    select (${selectUncompletedCount(scope, query, as_of)}) as open, (select count(*) from due) as lifts_total,
      coalesce((select jsonb_agg(to_jsonb(shown) - 'place' order by place) from shown), '[]') as lifts,
      ${people ? rowsAsJson(people) : sql`'[]'::jsonb`} as learners`.execute(scope.db)
  if (!rows[0]) throw new Error('A statement without a from has one row')
  return rows[0]
}
