/** The people and lifts behind a figure. */
import { type SqlBool, sql } from 'kysely'
import { Refusal } from '../../errors.ts'
import { paginate } from '../../page.ts'
import { remember } from '../../scope/ask-once.server.ts'
import type { Scope } from '../../scope/scope.server.ts'
import { MAX_COUNT, TOO_COMMON } from '../../search.server.ts'
import { IS_BEHIND, IS_WAITING, TAKES_ANSWERS } from '../behind.server.ts'
import type { FigureName } from '../definitions.ts'
import { failureInWords } from '../failure-words.server.ts'
import { type Counted, figuresOf } from '../figures.ts'
import { requireSubjects } from '../filters.server.ts'
import { countLearners, countOwing, learnersOf, selectUpToCrowd } from '../learner-counts.server.ts'
import { asOf, conditionsAt, selectFacts } from '../population.server.ts'
import { AnalyticsFilters } from '../query.ts'
import { requireFew, SUMMED, sumsOf } from '../sums.server.ts'
import type { Explained, ExplainQuery } from './explained.ts'
import { type LeftOut, leftOutOf, selectLeftOut } from './left-out.server.ts'
import { type Asked, amongNamed, findNamed } from './named.server.ts'
import { readExplainedRows } from './rows.server.ts'

/** `cap`: how far rows are counted when no tally knows their number; without one, all rows are read or none. */
export async function explainFigure(scope: Scope, query: ExplainQuery, cap = MAX_COUNT): Promise<Explained> {
  const as_of = await asOf(scope, query)
  await requireSubjects(scope, query)
  const parts = partsOf(query.figure, conditionsAt(as_of, query))
  const named = await findNamed(scope, query.q)
  const isCut = named?.is_all === false
  if (isCut && !Number.isFinite(cap)) throw new Refusal(409, TOO_COMMON)
  const listed = { query, as_of, parts, named }
  const asked = { ...listed, facts: narrow(selectFacts(scope, query, as_of), listed) }
  const { assigned, left_out, ...rate } = await readRate(scope, asked)
  const { total, learners } = await countRows(scope, asked, rate, cap)
  const found = total === 0 ? [] : await readExplainedRows(scope, asked, total)
  const upTo = (at: Date | null) => (at && at <= as_of ? at.toISOString() : null)
  return {
    as_of: as_of.toISOString(),
    figure: query.figure,
    rate,
    ...upToCap(learners ?? (await countListed(scope, asked, total === assigned, cap)), cap),
    left_out: leftOutOf(left_out),
    data: found.map(
      ({
        due_at,
        accepted_at,
        delivered_at,
        opened_at,
        completed_at,
        answered_at,
        code,
        is_hindered,
        ...row
      }) => ({
        ...row,
        reason: is_hindered ? failureInWords(row.delivery, code) : null,
        due_at: (due_at ?? as_of).toISOString(),
        sent_at: upTo(accepted_at),
        delivered_at: upTo(delivered_at),
        opened_at: upTo(opened_at),
        answered_at: upTo(answered_at),
        completed_at: upTo(completed_at),
      }),
    ),
    pagination: paginateRows(query, total, isCut, cap),
  }
}

/** `isCut`: of a common word only the newest matches are known. */
function paginateRows(query: ExplainQuery, total: number, isCut: boolean, cap: number) {
  if (isSummed(query)) return paginate(total, query)
  return isCut && total <= cap ? paginate(total + 1, query, total) : paginate(total, query, cap)
}

type Conditions = ReturnType<typeof conditionsAt>
type Facts = ReturnType<typeof selectFacts>

function partsOf(figure: FigureName, is: Conditions): Asked['parts'] {
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

function narrow(matching: Facts, { query, parts, named }: Omit<Asked, 'facts'>): Facts {
  const { counts, among } = parts
  // A lift without a question waits too: completing it is the answer.
  let facts = query.outcome === 'waiting' ? matching : matching.where(among)
  if (isAboutNow(query))
    facts = facts
      .where(query.outcome === 'waiting' ? IS_WAITING : IS_BEHIND)
      .where('f.journey_id', 'in', (eb) => eb.selectFrom('journeys as j').select('j.id').where(TAKES_ANSWERS))
  else if (query.outcome !== 'all')
    facts = facts.where(query.outcome === 'yes' ? counts : sql<SqlBool>`(${counts}) is not true`)
  return named ? amongNamed(facts, named) : facts
}

/** With what the figure leaves out, and as many of the learners as `isCrowd` asks for. */
async function readRate(scope: Scope, { query, as_of, parts }: Asked) {
  const { figure, journey, user } = query
  const sums = sumsOf(scope, AnalyticsFilters.parse(query), as_of)
  if (!sums) await requireFew(scope, query, as_of)
  const counted = sums
    ? sql`(select ${SUMMED} from ${sums} sums)`
    : selectFacts(scope, query, as_of).select([
        sql<number>`count(*)`.as('assigned'),
        sql<number>`count(*) filter (where ${parts.among} and ${parts.counts})`.as('n'),
        sql<number>`count(*) filter (where ${parts.among})`.as('d'),
      ])
  const { rows } = await sql<Read>`
    select counted.*, ${selectLeftOut(scope, query, as_of)} as left_out,
      (${selectUpToCrowd(scope, { journey, user }, as_of)}) as learners from ${counted} counted`.execute(
    scope.db,
  )
  const [row] = rows
  if (!row) throw new Error('A statement without a group has one row')
  remember(scope, learnersOf(scope, { journey, user }, as_of), row.learners)
  const { n, d } = 'n' in row ? row : figuresOf(row)[figure]
  return { assigned: row.assigned, n, d, left_out: row.left_out }
}
type Read = (Counted | (Explained['rate'] & { assigned: number })) & { left_out: LeftOut; learners: number }

const isAboutNow = ({ outcome }: Pick<ExplainQuery, 'outcome'>): boolean =>
  outcome === 'behind' || outcome === 'waiting'
const isSummed = ({ q, outcome }: ExplainQuery): boolean => !q && !isAboutNow({ outcome })

/** `learners` is null where there are more rows than are counted. */
async function countRows(
  { db }: Scope,
  { query, facts }: Asked,
  { n, d }: Explained['rate'],
  cap: number,
): Promise<{ total: number; learners: number | null }> {
  if (isSummed(query)) {
    const total = { all: d, yes: n, no: d - n, behind: 0, waiting: 0 }[query.outcome]
    return { total, learners: total === 0 ? 0 : null }
  }
  const some = facts.select('f.user_id')
  const { total, learners } = await db
    .selectFrom((Number.isFinite(cap) ? some.limit(cap + 1) : some).as('some'))
    .select([sql<number>`count(*)`.as('total'), sql<number>`count(distinct user_id)`.as('learners')])
    .executeTakeFirstOrThrow()
  return { total, learners: total > cap ? null : learners }
}

/**
 * Counts the learners behind the rows: all of the report's where every occurrence is listed, otherwise at most one
 * more than `cap`.
 */
async function countListed(scope: Scope, asked: Asked, isAll: boolean, cap: number): Promise<number> {
  const { query, as_of } = asked
  if (isAll) return countLearners(scope, query, as_of)
  const {
    figure,
    outcome,
    q,
    journey,
    user,
    order_by: _o,
    order: _d,
    page: _p,
    per_page: _n,
    ...others
  } = query
  const isNarrowed = q !== '' || Object.values(others).some((value) => value !== undefined)
  if (outcome === 'behind' && figure === 'completion' && !isNarrowed)
    return countOwing(scope, { journey, user }, as_of, cap)
  return countLearners(scope, query, as_of, (theirs) => narrow(theirs, asked), cap)
}

const upToCap = (learners: number, cap: number) =>
  learners > cap ? { learners: cap, learners_capped: true } : { learners }
