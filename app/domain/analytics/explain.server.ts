/** The people and lifts behind a figure. */
import { type SqlBool, sql } from 'kysely'
import { paginate } from '../page.ts'
import type { Scope } from '../scope.server.ts'
import { nameOfLearner } from '../users/learner-name.server.ts'
import { IS_BEHIND } from './behind.server.ts'
import type { FigureName } from './definitions.ts'
import type { Explained, ExplainQuery } from './explained.ts'
import { requireSubjects } from './filters.server.ts'
import { asOf, conditionsAt, respondedAt, selectFacts, selectMatching } from './population.server.ts'
import { nameContains } from './table-order.server.ts'

const NAMED = 20

export async function explainFigure(scope: Scope, query: ExplainQuery): Promise<Explained> {
  const as_of = await asOf(scope, query)
  await requireSubjects(scope, query)
  const { counts, among } = partsOf(query.figure, conditionsAt(as_of, query))
  const facts = selectFacts(scope, query, as_of).where(among)
  const { n, d } = await facts
    .select([sql<number>`count(*) filter (where ${counts})`.as('n'), sql<number>`count(*)`.as('d')])
    .executeTakeFirstOrThrow()

  let rows = facts
    .leftJoin('users as u', 'u.id', 'f.user_id')
    .innerJoin('lifts as l', 'l.id', 'f.lift_id')
    .innerJoin('journeys as j', 'j.id', 'f.journey_id')
  if (query.outcome === 'behind') rows = rows.where(IS_BEHIND)
  else if (query.outcome !== 'all')
    rows = rows.where(query.outcome === 'yes' ? counts : sql<SqlBool>`(${counts}) is not true`)
  if (query.q)
    rows = rows.where((eb) =>
      eb.or([nameContains(query.q), eb('l.title', 'ilike', `%${query.q.replaceAll(/[\\%_]/g, '\\$&')}%`)]),
    )
  const { total, learners } = await rows
    .select([sql<number>`count(*)`.as('total'), sql<number>`count(distinct f.user_id)`.as('learners')])
    .executeTakeFirstOrThrow()
  const answered_at = respondedAt(query)
  const found = await rows
    .select([
      'f.occurrence_id',
      'f.user_id',
      'f.journey_id',
      'j.name as journey',
      'f.lift_id',
      'l.title as lift',
    ])
    .select(['f.due_at', 'f.accepted_at', 'f.delivered_at', 'f.opened_at', 'f.completed_at', 'f.delivery'])
    .select([
      nameOfLearner.as('name'),
      sql<boolean>`coalesce(${counts}, false)`.as('counts'),
      answered_at.as('answered_at'),
    ])
    .orderBy(ordered(query, answered_at))
    .orderBy('f.occurrence_id')
    .limit(query.per_page)
    .offset((query.page - 1) * query.per_page)
    .execute()
  const upTo = (at: Date | null) => (at && at <= as_of ? at.toISOString() : null)
  return {
    as_of: as_of.toISOString(),
    figure: query.figure,
    rate: { n, d },
    learners,
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
    pagination: paginate(total, query),
  }
}

type Conditions = ReturnType<typeof conditionsAt>

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

function ordered({ order_by, order }: ExplainQuery, answered_at: ReturnType<typeof respondedAt>) {
  const direction = sql.raw(order === 'desc' ? 'desc' : 'asc')
  const by = {
    name: sql`row(lower(u.last_name), lower(u.first_name), f.user_id) ${direction}, f.due_at`,
    lift: sql`row(j.name, l.position) ${direction}, lower(u.last_name)`,
    due: sql`f.due_at ${direction}`,
    answered: sql`${answered_at} ${direction} nulls last`,
    completed: sql`f.completed_at ${direction} nulls last`,
  }
  return by[order_by]
}

async function readLeftOut(scope: Scope, query: ExplainQuery, as_of: Date): Promise<Explained['left_out']> {
  const matching = selectMatching(scope, query, as_of)
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
  const silent =
    query.figure === 'response'
      ? await selectFacts(scope, query, as_of)
          .innerJoin('lifts as l', 'l.id', 'f.lift_id')
          .where('f.asks', '=', false)
          .select(['l.id', 'l.title as name'])
          .groupBy(['l.id', 'l.title', 'l.position'])
          .orderBy('l.position')
          .orderBy('l.id')
          .execute()
      : []
  const some = (all: { id: number; name: string }[]) => ({ total: all.length, data: all.slice(0, NAMED) })
  return { excluded: some(excluded), without_questions: some(silent), held, left }
}
