/** The questions of one lift: how many of the people asked have answered, and how the answers are distributed. */
import { type SqlBool, sql } from 'kysely'
import { getLift } from '../lifts/lifts.server.ts'
import type { Prompt } from '../lifts/prompt.ts'
import { isReadable } from '../responses/response.ts'
import { toPoints } from '../responses/score.ts'
import { nowIn } from '../scope/clock.server.ts'
import type { Scope } from '../scope/scope.server.ts'
import { distributionOf, type Tally } from './distribution.ts'
import type { PromptFigures } from './figures.ts'
import { selectFacts } from './population.server.ts'
import { AnalyticsFilters } from './query.ts'
import { rowsAsJson } from './rows-as-json.server.ts'
import { sumsOf } from './sums.server.ts'

/** With fewer answers than this, readers could tell who gave which. */
export const FEWEST_SHOWN = 5

/** `score_sum`: over the `scored` answers. */
/** `known`: from people of this scope, whose administrators may read the answers. */
type Seen = Tally & { visibility: string; known: boolean; scored: number; score_sum: number }
type Tallies = Map<number, Seen[]>

export async function listPromptFigures(
  scope: Scope,
  query: AnalyticsFilters,
  liftId: number,
  counted: Tallied,
): Promise<PromptFigures[]> {
  const asked = new Map(counted.asked.map(({ id, many }) => [id, many]))
  if (asked.size === 0) return []
  const lift = await getLift(scope, liftId)
  const given = byPrompt(counted.given)
  const together = await tallyTogether(scope, lift)
  return lift.prompts
    .filter((prompt) => query.prompt_id === undefined || prompt.id === query.prompt_id)
    .filter((prompt) => isAbout(lift, prompt, query.lo_id))
    .map((prompt) => {
      const { id, text, kind, visibility } = prompt
      const own = given.get(id) ?? []
      const readable = own.filter((tally) => tally.known && isReadable(tally.visibility))
      return {
        ...{ prompt_id: id, text, kind, visibility },
        score: scoreOf(prompt, readable),
        response: { n: own.reduce((sum, { count }) => sum + count, 0), d: asked.get(id) ?? 0 },
        ...shown(prompt, visibility === 'aggregate_only' ? (together.get(id) ?? []) : readable),
      }
    })
}

type Tagged = { objective_ids: readonly number[] }
/** The lift is tagged with the objective, or the question is. */
export const isAbout = (lift: Tagged, prompt: Tagged, objective: number | undefined): boolean =>
  objective === undefined || [...lift.objective_ids, ...prompt.objective_ids].includes(objective)

export type Tallied = { asked: Asked[]; given: Row[] }
type Asked = { id: number; many: number }

/** The questions of a lift as one JSON value, to be selected beside other figures. */
export const selectTallied = (scope: Scope, query: AnalyticsFilters, liftId: number, as_of: Date) =>
  sql<Tallied>`json_build_object('asked', ${rowsAsJson(selectAsked(scope, query, liftId, as_of))},
    'given', ${rowsAsJson(selectGiven(scope, query, liftId, as_of))})`

/** The number of people asked each question; versions of a lift ask different ones. */
function selectAsked(scope: Scope, query: AnalyticsFilters, liftId: number, as_of: Date) {
  const facts = selectFacts(scope, query, as_of)
  const count = facts.select(sql<number>`count(*)`.as('many'))
  const sums = sumsOf(scope, AnalyticsFilters.parse(query), as_of)
  return sql<Asked>`
    select asks.prompt_id as id, sum(f.many)::bigint as many
    from (
      select ${lastVersion(liftId)} as version,
        (${sums ? sql`select sum(assigned) from ${sums} sums` : count}) as many where ${isAlike(liftId)}
      union all
      ${facts
        .select([GOT_VERSION.as('version'), sql<number>`count(*)`.as('many')])
        .where(sql<SqlBool>`not ${isAlike(liftId)}`)
        .groupBy('version')}
    ) f join ${asksOf(liftId)} on asks.version = f.version
    group by 1 having sum(f.many) > 0`
}

/** Which questions each version of the lift asks. */
const asksOf = (liftId: number) => sql`(
  select v.version, (asked ->> 'id')::bigint as prompt_id
  from lift_versions v cross join lateral jsonb_array_elements(v.content -> 'prompts') asked
  where v.lift_id = ${liftId} offset 0) asks`

/** Whether all versions ask the same: looking up which one each learner got would take most of the time. */
const isAlike = (liftId: number) => sql<SqlBool>`(
  select count(distinct (select coalesce(array_agg(asked ->> 'id' order by asked ->> 'id'), '{}')
    from jsonb_array_elements(v.content -> 'prompts') asked)) = 1
  from lift_versions v where v.lift_id = ${liftId})`

const lastVersion = (liftId: number) =>
  sql<number>`(select max(v.version) from lift_versions v where v.lift_id = ${liftId})`

const GOT_VERSION = sql<number>`(
  select o.content_version from occurrences o where o.tenant_id = f.tenant_id and o.id = f.occurrence_id)`

function shown(prompt: Prompt, tallies: readonly Tally[]) {
  const isHidden = prompt.visibility === 'learner_only' || tallies.length === 0
  const spread = distributionOf(prompt, isHidden ? [] : tallies)
  return isHidden ? { ...spread, options: [] } : spread
}

/** What was written is not grouped by its text, which no distribution shows. */
function selectGiven(scope: Scope, query: AnalyticsFilters, liftId: number, as_of: Date) {
  const facts = selectFacts(scope, query, as_of).select([
    'f.member_id',
    'f.user_id',
    sql<number>`case when ${isAlike(liftId)} then ${lastVersion(liftId)} else ${GOT_VERSION} end`.as(
      'version',
    ),
  ])
  const isKnown =
    scope.actor.sub_tenant_id === null ? sql`true` : sql`exists (select from users u where u.id = f.user_id)`
  const isWritten = sql`r.prompt_id = any(array(
    select id from prompts where lift_id = ${liftId} and kind in ('short_text', 'long_text', 'commitment')))`
  return sql<Row>`
    with last as (
      select distinct on (r.prompt_id, r.member_id) r.prompt_id, r.visibility, ${isKnown} as known,
        case when not ${isWritten} then r.value end as value,
        case when coalesce(r.scored_at, r.submitted_at) <= ${as_of} then r.score end as score
      from responses r join (${facts}) f on f.member_id = r.member_id
        join ${asksOf(liftId)} on asks.version = f.version and asks.prompt_id = r.prompt_id
      where r.lift_id = ${liftId} and r.submitted_at <= ${as_of}
      order by r.prompt_id, r.member_id, r.submitted_at desc, r.id desc
    )
    select prompt_id, value, visibility, known, count(*) as count, count(score) as scored,
      coalesce(sum(score), 0)::float8 as score_sum
    from last group by 1, 2, 3, 4`
}

/** The mean score of readable answers that had been scored by the as-of moment. */
function scoreOf({ max_score, scoring }: Prompt, given: readonly Seen[]): PromptFigures['score'] {
  const n = given.reduce((sum, { scored }) => sum + scored, 0)
  if (scoring === 'none' || n === 0) return null
  const sum = given.reduce((all, { score_sum }) => all + score_sum, 0)
  return { n, mean: toPoints(sum / n, max_score), max_score }
}

/**
 * Anonymous answers are counted in groups of five people, ordered by their first answer, as the answers were when the
 * fifth person had answered. So the difference between two reports never reveals one person's answer.
 */
async function tallyTogether(scope: Scope, lift: { id: number; journey_id: number; prompts: Prompt[] }) {
  const ids = lift.prompts.filter(({ visibility }) => visibility === 'aggregate_only').map(({ id }) => id)
  if (ids.length === 0) return new Map<number, Seen[]>()
  const whole = { journey: lift.journey_id, lift: lift.id }
  const counted = selectFacts(scope, whole, nowIn(scope)).select('f.member_id')
  const { rows } = await sql<Row>`
    with answers as (
      select r.id, r.prompt_id, r.member_id, r.value from responses r
      where r.lift_id = ${lift.id} and r.prompt_id = any(${ids}::bigint[]) and r.visibility = 'aggregate_only'
    ), people as (
      select prompt_id, member_id, min(id) as first,
        (row_number() over (partition by prompt_id order by min(id)) - 1) / ${FEWEST_SHOWN}::int as part
      from answers group by prompt_id, member_id
    ), fives as (
      select prompt_id, part, max(first) as last from people group by prompt_id, part
      having count(*) filter (where member_id in (${counted})) = ${FEWEST_SHOWN}::int
    ), stood as (
      select distinct on (prompt_id, member_id) prompt_id, value
      from fives join people using (prompt_id, part) join answers a using (prompt_id, member_id)
      where a.id <= fives.last order by prompt_id, member_id, a.id desc
    )
    select prompt_id, value, 'aggregate_only' as visibility, true as known, count(*)::int as count, 0 as scored, 0 as score_sum
    from stood group by prompt_id, value`.execute(scope.db)
  return byPrompt(rows)
}

type Row = Seen & { prompt_id: number }

function byPrompt(rows: readonly Row[]): Tallies {
  const tallies: Tallies = new Map()
  for (const { prompt_id, ...seen } of rows) {
    const known = tallies.get(prompt_id) ?? []
    tallies.set(prompt_id, known)
    known.push({ ...seen, count: Number(seen.count) })
  }
  return tallies
}
