/** What matches the filters of a figure, and is not counted in it. */
import { type SqlBool, sql } from 'kysely'
import type { Scope } from '../../scope.server.ts'
import { nameOfLearner } from '../../users/learner-name.server.ts'
import { selectFacts, selectMatching } from '../population.server.ts'
import type { Explained, ExplainQuery } from './explained.ts'

const NAMED = 20
type Named = { id: number; name: string }

export async function readLeftOut(
  scope: Scope,
  query: ExplainQuery,
  as_of: Date,
): Promise<Explained['left_out']> {
  const matching = selectMatching(scope, query, as_of).where('f.is_counted', '=', false)
  const { held, left } = await matching
    .where('f.exclude_data', '=', false)
    .select([
      sql<number>`count(*) filter (where f.state = 'held')`.as('held'),
      sql<number>`count(*) filter (where f.state not in ('held', 'cancelled') and f.left_at <= f.due_at)`.as(
        'left',
      ),
    ])
    .executeTakeFirstOrThrow()
  const excluded = await matching
    .where('f.exclude_data', '=', true)
    .leftJoin('users as u', 'u.id', 'f.user_id')
    .select(['f.user_id as id', nameOfLearner.as('name')])
    .groupBy(['f.user_id', 'u.id', 'u.first_name', 'u.last_name'])
    .orderBy(sql`lower(u.last_name)`)
    .orderBy('f.user_id')
    .execute()
  const silent = query.figure === 'response' ? await listSilent(scope, query, as_of) : []
  const some = (all: Named[]) => ({ total: all.length, data: all.slice(0, NAMED) })
  return { excluded: some(excluded), without_questions: some(silent), held, left }
}

/** Lifts that asked nothing of some: which they can be is known from their sums. */
function listSilent(scope: Scope, query: ExplainQuery, as_of: Date): Promise<Named[]> {
  const facts = selectFacts(scope, query, as_of)
    .where('f.asks', '=', false)
    .where(sql<SqlBool>`f.lift_id = l.id`)
  return scope.db
    .selectFrom('lifts as l')
    .where('l.id', 'in', (eb) =>
      eb
        .selectFrom('lift_tallies')
        .select('lift_id')
        .where('is_counted', '=', true)
        .groupBy('lift_id')
        .having(sql<SqlBool>`sum(assigned) > sum(asked)`),
    )
    .where(({ exists }) => exists(facts.select(sql`1`.as('one'))))
    .select(['l.id', 'l.title as name'])
    .orderBy('l.position')
    .orderBy('l.id')
    .execute()
}
