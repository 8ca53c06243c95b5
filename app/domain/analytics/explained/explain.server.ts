/** The people and lifts behind a figure. */
import { type SqlBool, sql } from 'kysely'
import { paginate } from '../../page.ts'
import type { Scope } from '../../scope.server.ts'
import { MAX_COUNT } from '../../search.server.ts'
import { IS_BEHIND, TAKES_ANSWERS } from '../behind.server.ts'
import type { FigureName } from '../definitions.ts'
import { type Counted, figuresOf } from '../figures.ts'
import { requireSubjects } from '../filters.server.ts'
import { countLearners } from '../learners.server.ts'
import { asOf, conditionsAt, selectFacts } from '../population.server.ts'
import { AnalyticsFilters } from '../query.ts'
import { SUMMED, sumsOf } from '../sums.server.ts'
import { nameContains } from '../table-order.server.ts'
import type { Explained, ExplainQuery } from './explained.ts'
import { readLeftOut } from './left-out.server.ts'
import { readExplainedRows } from './rows.server.ts'

/** `cap`: how far rows are counted of which no sum tells how many they are. */
export async function explainFigure(scope: Scope, query: ExplainQuery, cap = MAX_COUNT): Promise<Explained> {
  const as_of = await asOf(scope, query)
  await requireSubjects(scope, query)
  const parts = partsOf(query.figure, conditionsAt(as_of, query))
  const asked = { query, as_of, parts, facts: select(scope, query, as_of, parts) }
  const rate = await readRate(scope, asked)
  const total = await countRows(scope, asked, rate, cap)
  const listed = { facts: asked.facts, counts: parts.counts }
  const found = total === 0 ? [] : await readExplainedRows(scope, query, as_of, listed)
  const upTo = (at: Date | null) => (at && at <= as_of ? at.toISOString() : null)
  return {
    as_of: as_of.toISOString(),
    figure: query.figure,
    rate,
    learners: total === 0 ? 0 : await countLearners(scope, query, as_of, asked.facts),
    left_out: await readLeftOut(scope, query, as_of),
    data: found.map(
      ({ due_at, accepted_at, delivered_at, opened_at, completed_at, answered_at, ...row }) => ({
        ...row,
        due_at: (due_at ?? as_of).toISOString(),
        sent_at: upTo(accepted_at),
        delivered_at: upTo(delivered_at),
        opened_at: upTo(opened_at),
        answered_at: upTo(answered_at),
        completed_at: upTo(completed_at),
      }),
    ),
    pagination: isSummed(query) ? paginate(total, query) : paginate(total, query, cap),
  }
}

type Conditions = ReturnType<typeof conditionsAt>
type Facts = ReturnType<typeof selectFacts>
type Parts = ReturnType<typeof partsOf>
type Asked = { query: ExplainQuery; as_of: Date; parts: Parts; facts: Facts }

/** What is counted, among what. */
function partsOf(figure: FigureName, is: Conditions) {
  const all = sql<SqlBool>`true`
  switch (figure) {
    case 'coverage':
      return { counts: is.accepted, among: all }
    case 'delivery':
      return { counts: is.delivered, among: is.accepted }
    case 'open':
      return { counts: is.opened_and_delivered, among: is.delivered }
    case 'response':
      return { counts: is.responded, among: is.asked }
    case 'completion':
      return { counts: is.completed, among: all }
  }
}

/** The facts that are listed. */
function select(scope: Scope, query: ExplainQuery, as_of: Date, { counts, among }: Parts): Facts {
  let facts = selectFacts(scope, query, as_of).where(among)
  if (query.outcome === 'behind')
    facts = facts
      .where(IS_BEHIND)
      .where('f.journey_id', 'in', (eb) => eb.selectFrom('journeys as j').select('j.id').where(TAKES_ANSWERS))
  else if (query.outcome !== 'all')
    facts = facts.where(query.outcome === 'yes' ? counts : sql<SqlBool>`(${counts}) is not true`)
  if (!query.q) return facts
  return facts.where(({ eb, selectFrom }) =>
    eb.or([
      eb('f.user_id', 'in', selectFrom('users as u').select('u.id').where(nameContains(query.q))),
      eb(
        'f.lift_id',
        'in',
        selectFrom('lifts as l')
          .select('l.id')
          .where('l.title', 'ilike', `%${query.q.replaceAll(/[\\%_]/g, '\\$&')}%`),
      ),
    ]),
  )
}

/** As on the tile: from the sums of lifts, or counted where these do not tell. */
async function readRate(scope: Scope, { query, as_of, parts }: Asked): Promise<Explained['rate']> {
  const sums = sumsOf(scope, AnalyticsFilters.parse(query), as_of)
  if (sums) {
    const { rows } = await sql<Counted>`select ${SUMMED} from ${sums} sums`.execute(scope.db)
    if (rows[0]) return figuresOf(rows[0])[query.figure]
  }
  return selectFacts(scope, query, as_of)
    .where(parts.among)
    .select([sql<number>`count(*) filter (where ${parts.counts})`.as('n'), sql<number>`count(*)`.as('d')])
    .executeTakeFirstOrThrow()
}

const isSummed = ({ q, outcome }: ExplainQuery): boolean => !q && outcome !== 'behind'

async function countRows(
  { db }: Scope,
  { query, facts }: Asked,
  { n, d }: Explained['rate'],
  cap: number,
): Promise<number> {
  if (isSummed(query)) return { all: d, yes: n, no: d - n, behind: 0 }[query.outcome]
  const some = facts.select('f.occurrence_id')
  const { total } = await db
    .selectFrom((Number.isFinite(cap) ? some.limit(cap + 1) : some).as('some'))
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
}
