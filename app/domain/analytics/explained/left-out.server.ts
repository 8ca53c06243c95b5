/** What matches the filters of a figure, but is not counted in it. */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Scope } from '../../scope/scope.server.ts'
import { nameOfLearner } from '../../text/learner-name.server.ts'
import { selectFacts, selectMatching } from '../population.server.ts'
import { rowsAsJson } from '../rows-as-json.server.ts'
import type { Explained, ExplainQuery } from './explained.ts'

const NAMED = 20
type Named = { id: number; name: string }
export type LeftOut = { held: number; left: number; excluded: Named[]; silent: Named[] }

/** As one JSON value, to be selected beside the rate. */
export function selectLeftOut(scope: Scope, query: ExplainQuery, as_of: Date): RawBuilder<LeftOut> {
  const matching = selectMatching(scope, query, as_of).where('f.is_counted', '=', false)
  const absent = matching
    .where('f.exclude_data', '=', false)
    .select([
      sql<number>`count(*) filter (where f.state = 'held')`.as('held'),
      sql<number>`count(*) filter (where f.state not in ('held', 'cancelled') and f.left_at <= f.due_at)`.as(
        'left',
      ),
    ])
  const excluded = matching
    .where('f.exclude_data', '=', true)
    .leftJoin('users as u', 'u.id', 'f.user_id')
    .select(['f.user_id as id', nameOfLearner.as('name')])
    .groupBy(['f.user_id', 'u.id', 'u.first_name', 'u.last_name', 'u.email'])
    .orderBy(sql`lower(u.last_name)`)
    .orderBy('f.user_id')
  const silent =
    query.figure === 'response' ? rowsAsJson(selectSilent(scope, query, as_of)) : sql`'[]'::jsonb`
  return sql<LeftOut>`(select to_jsonb(absent) || jsonb_build_object('excluded', ${rowsAsJson(sql`${excluded}`)},
    'silent', ${silent}) from (${absent}) absent)`
}

export function leftOutOf({ excluded, silent, held, left }: LeftOut): Explained['left_out'] {
  const some = (all: Named[]) => ({ total: all.length, data: all.slice(0, NAMED) })
  return { excluded: some(excluded), without_questions: some(silent), held, left }
}

/** Occurrences without a question. The tallies tell which lifts can have any. */
function selectSilent(scope: Scope, query: ExplainQuery, as_of: Date) {
  const facts = selectFacts(scope, query, as_of)
    .where('f.asks', '=', false)
    .where(sql<SqlBool>`f.lift_id = l.id`)
  const lifts = scope.db
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
  return sql<Named>`${lifts}`
}
