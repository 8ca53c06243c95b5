/** Tallies per quarter of an hour instead of millions of facts; only facts of the current quarter are counted one by one. */
import { type RawBuilder, sql } from 'kysely'
import { maySeeAllJourneys } from '../access/journeys.ts'
import { Refusal } from '../errors.ts'
import { askOnce, type Question } from '../scope/ask-once.server.ts'
import type { Scope } from '../scope/scope.server.ts'
import { figures } from '../text/figures.ts'
import { isNow, startOf } from './population.server.ts'
import type { AnalyticsFilters } from './query.ts'

const NAMES = [
  ...['assigned', 'asked', 'accepted', 'unknown', 'suppressed', 'failed', 'expired', 'pending', 'delivered'],
  ...['opened', 'opened_and_delivered', 'responded', 'completed'],
]

/** Tallies by `journey_id`, `lift_id` and `due_from`; null where the tallies cannot answer the query. */
export function sumsOf(scope: Scope, query: AnalyticsFilters, as_of: Date): RawBuilder<unknown> | null {
  const parts = partsOf(scope, query, as_of)
  return (
    parts &&
    sql`(
    select journey_id, lift_id, due_from, assigned, asked, accepted, unknown, suppressed, failed, expired, pending,
      delivered, opened, opened_and_delivered, answered as responded, completed
    from lift_tallies where is_counted and ${parts.summed}
    union all
    select journey_id, lift_id, ${parts.quarter}, -count(*), -count(*) filter (where asks), -count(accepted_at),
      -count(*) filter (where delivery = 'unknown'), -count(*) filter (where delivery = 'suppressed'),
      -count(*) filter (where delivery = 'failed'), -count(*) filter (where delivery = 'expired'),
      -count(*) filter (where delivery = 'pending'), -count(delivered_at), -count(opened_at),
      -count(opened_at) filter (where delivered_at is not null), -count(responded_at) filter (where asks),
      -count(completed_at)
    from fact_occurrence where is_counted and ${parts.to_come}
    group by 1, 2)`
  )
}

/** For lifts with a question: the quarter of an hour in which the message left, and the days until the answer. */
export function answersOf(scope: Scope, query: AnalyticsFilters, as_of: Date): RawBuilder<unknown> | null {
  const parts = partsOf(scope, query, as_of)
  return (
    parts &&
    sql`(
    select sent_from, answered_after, many from answer_tallies where ${parts.summed}
    union all
    select quarter_of(accepted_at), days_until_answer(accepted_at, responded_at), -1
    from fact_occurrence where is_counted and asks and (accepted_at is not null or responded_at is not null)
      and ${parts.to_come})`
  )
}

/**
 * Conditions for the tallies, and for facts in them that are not due yet. Null for a learner, question or objective,
 * and for a past moment: tallies cannot answer these.
 */
function partsOf(
  scope: Scope,
  { journey, lift, lift_id, from, to, as_of: _, ...others }: AnalyticsFilters,
  as_of: Date,
) {
  if (Object.values(others).some((value) => value !== undefined)) return null
  if (!isNow(scope, as_of)) return null
  const quarter = sql<Date>`quarter_of(${as_of}::timestamptz)`
  const within = withinLifts(scope, { journey, lift, lift_id })
  return {
    quarter,
    summed: sql`due_from <= ${quarter} and ${since('due_from', { from, to })} and ${within}`,
    to_come: sql`due_at > ${as_of} and due_at < ${quarter} + interval '15 minutes'
      and ${since('due_at', { from, to })} and ${within}`,
  }
}

const withinLifts = (scope: Scope, { journey, lift, lift_id }: AnalyticsFilters) =>
  sql`${inReach(scope)} and ${is('journey_id', journey)} and ${is('lift_id', lift)} and ${is('lift_id', lift_id)}`

const since = (column: string, { from, to }: AnalyticsFilters) =>
  sql`${from ? sql`${sql.ref(column)} >= ${startOf(sql`${from}::date`)}` : sql`true`}
    and ${to ? sql`${sql.ref(column)} < ${startOf(sql`${to}::date + 1`)}` : sql`true`}`

const MAX_ONE_BY_ONE = 2_000_000

/** Refuses a count of facts that would take longer than anybody would wait. */
export async function requireFew(scope: Scope, query: AnalyticsFilters, as_of: Date): Promise<void> {
  if (isOfFew(query)) return
  const many = await askOnce(scope, manyOf(scope, query, as_of), async () => {
    const { rows } = await selectMany(scope, query, as_of).execute(scope.db)
    return rows[0]?.many ?? 0
  })
  if (many > MAX_ONE_BY_ONE)
    throw new Refusal(
      422,
      `More than ${figures(MAX_ONE_BY_ONE)} lifts match, too many to count one by one. Please choose a journey, or fewer days.`,
    )
}

/** The key under which `askOnce` keeps how many there are. */
export function manyOf({ actor }: Scope, query: AnalyticsFilters, as_of: Date): Question {
  const { journey, lift, lift_id, from, to } = query
  return ['assigned', maySeeAllJourneys(actor), { journey, lift, lift_id, from, to }, as_of]
}

/** One person, question or objective has few facts. */
const isOfFew = ({ user, prompt_id, lo_id }: AnalyticsFilters) =>
  [user, prompt_id, lo_id].some((value) => value !== undefined)

export const selectMany = (scope: Scope, query: AnalyticsFilters, as_of: Date) =>
  isOfFew(query)
    ? sql<Many>`select 0 as many`
    : sql<Many>`select coalesce(sum(assigned), 0)::bigint as many from lift_tallies
        where is_counted and due_from <= ${as_of} and ${since('due_from', query)} and ${withinLifts(scope, query)}`
type Many = { many: number }

/** For a statement that has `selectMany` as `size`: false keeps PostgreSQL from reading any fact. */
export const ARE_FEW = sql<boolean>`(select many from size) <= ${sql.lit(MAX_ONE_BY_ONE)}`

/** Adds up tallies to the counts that figures are made of. */
export const SUMMED = sql.join(
  NAMES.map((name) => sql`coalesce(sum(${sql.ref(name)}), 0)::bigint as ${sql.ref(name)}`),
)

export const inReach = ({ actor }: Scope) =>
  maySeeAllJourneys(actor)
    ? sql<boolean>`true`
    : sql<boolean>`journey_id in (select id from journeys where author_id = ${actor.user_id})`

const is = (column: string, id: number | undefined) =>
  id === undefined ? sql`true` : sql`${sql.ref(column)} = ${id}::bigint`
