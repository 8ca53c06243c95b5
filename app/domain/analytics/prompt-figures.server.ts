/** The questions of one lift: how many of those who were asked answered, and how the answers spread. */
import { sql } from 'kysely'
import { nowIn } from '../clock.server.ts'
import { getLift } from '../lifts/lifts.server.ts'
import type { Prompt } from '../lifts/prompt.ts'
import { isReadable, READABLE } from '../responses/response.ts'
import { toPoints } from '../responses/score.ts'
import type { Scope } from '../scope.server.ts'
import { distributionOf, type Tally } from './distribution.ts'
import type { PromptFigures } from './figures.ts'
import { ASKED_PROMPTS, selectFacts } from './population.server.ts'
import type { AnalyticsFilters } from './query.ts'

/** Fewer answers than this would tell who gave which. */
export const FEWEST_SHOWN = 5

type Seen = Tally & { visibility: string }
type Tallies = Map<number, Seen[]>

export async function listPromptFigures(
  scope: Scope,
  query: AnalyticsFilters,
  liftId: number,
  as_of: Date,
): Promise<PromptFigures[]> {
  const asked = await countAsked(scope, query, as_of)
  if (asked.size === 0) return []
  const lift = await getLift(scope, liftId)
  const given = await tallyAnswers(scope, query, liftId, as_of)
  const together = await tallyTogether(scope, lift)
  const scores = await meanScores(scope, query, liftId, as_of)
  return lift.prompts
    .filter((prompt) => query.prompt_id === undefined || prompt.id === query.prompt_id)
    .filter((prompt) => isAbout(lift, prompt, query.lo_id))
    .map((prompt) => {
      const { id, text, kind, visibility } = prompt
      const own = given.get(id) ?? []
      return {
        ...{ prompt_id: id, text, kind, visibility },
        score: scoreOf(prompt, scores.get(id)),
        response: { n: own.reduce((sum, { count }) => sum + count, 0), d: asked.get(id) ?? 0 },
        ...shown(
          prompt,
          visibility === 'aggregate_only'
            ? (together.get(id) ?? [])
            : own.filter((tally) => isReadable(tally.visibility)),
        ),
      }
    })
}

type Tagged = { objective_ids: readonly number[] }
const isAbout = (lift: Tagged, prompt: Tagged, objective: number | undefined): boolean =>
  objective === undefined || [...lift.objective_ids, ...prompt.objective_ids].includes(objective)

/** To how many each question was put: versions differ. */
async function countAsked(scope: Scope, query: AnalyticsFilters, as_of: Date): Promise<Map<number, number>> {
  const facts = selectFacts(scope, query, as_of).select(ASKED_PROMPTS.as('prompts'))
  const { rows } = await sql<{ id: number; many: number }>`
    select (asked ->> 'id')::bigint as id, count(*) as many
    from (${facts}) f cross join lateral jsonb_array_elements(f.prompts) asked
    group by 1`.execute(scope.db)
  return new Map(rows.map(({ id, many }) => [id, many]))
}

function shown(prompt: Prompt, tallies: readonly Tally[]) {
  const isHidden = prompt.visibility === 'learner_only' || tallies.length === 0
  const spread = distributionOf(prompt, isHidden ? [] : tallies)
  return isHidden ? { ...spread, options: [] } : spread
}

/** Of each learner whom the question was put to, the last answer by the as-of moment. */
async function tallyAnswers(scope: Scope, query: AnalyticsFilters, liftId: number, as_of: Date) {
  const facts = selectFacts(scope, query, as_of).select(['f.member_id', ASKED_PROMPTS.as('prompts')])
  const { rows } = await sql<Row>`
    with last as (
      select distinct on (r.prompt_id, r.member_id) r.prompt_id, r.value, r.visibility
      from responses r join (${facts}) f on f.member_id = r.member_id
        and f.prompts @> jsonb_build_array(jsonb_build_object('id', r.prompt_id))
      where r.lift_id = ${liftId} and r.submitted_at <= ${as_of}
      order by r.prompt_id, r.member_id, r.submitted_at desc, r.id desc
    )
    select prompt_id, value, visibility, count(*) as count from last group by 1, 2, 3`.execute(scope.db)
  return byPrompt(rows)
}

type Mean = { n: number; mean: number }

async function meanScores(scope: Scope, query: AnalyticsFilters, liftId: number, as_of: Date) {
  const rows = await scope.db
    .selectFrom('responses as r')
    .select(['r.prompt_id', sql<number>`count(*)::int`.as('n'), sql<number>`avg(r.score)::float8`.as('mean')])
    .where('r.lift_id', '=', liftId)
    .where('r.is_current', '=', true)
    .where('r.score', 'is not', null)
    .where('r.visibility', 'in', READABLE)
    .where(sql<Date>`coalesce(r.scored_at, r.submitted_at)`, '<=', as_of)
    .where('r.member_id', 'in', selectFacts(scope, query, as_of).select('f.member_id'))
    .groupBy('r.prompt_id')
    .execute()
  return new Map(rows.map(({ prompt_id, ...mean }) => [prompt_id, mean]))
}

const scoreOf = ({ max_score, scoring }: Prompt, given: Mean | undefined): PromptFigures['score'] =>
  given && scoring !== 'none' ? { n: given.n, mean: toPoints(given.mean, max_score), max_score } : null

/**
 * Answers that are only counted, whatever the filters: in groups of five by when they came, each shown whole or not at
 * all. No two reports differ in fewer than five people, so that none tells by subtraction what one of them said.
 */
async function tallyTogether(scope: Scope, lift: { id: number; journey_id: number; prompts: Prompt[] }) {
  const ids = lift.prompts.filter(({ visibility }) => visibility === 'aggregate_only').map(({ id }) => id)
  if (ids.length === 0) return new Map<number, Seen[]>()
  const whole = { journey: lift.journey_id, lift: lift.id }
  const counted = selectFacts(scope, whole, nowIn(scope)).select('f.member_id')
  const { rows } = await sql<Row>`
    with answers as (
      select r.prompt_id, r.value, r.member_id in (${counted}) as is_counted,
        (row_number() over (partition by r.prompt_id order by r.id) - 1) / ${FEWEST_SHOWN}::int as part
      from responses r
      where r.lift_id = ${lift.id} and r.is_current and r.prompt_id = any(${ids}::bigint[])
        and r.visibility = 'aggregate_only'
    )
    select a.prompt_id, a.value, 'aggregate_only' as visibility, count(*)::int as count from answers a
    where (a.prompt_id, a.part) in (select prompt_id, part from answers group by prompt_id, part
      having count(*) filter (where is_counted) = ${FEWEST_SHOWN}::int)
    group by a.prompt_id, a.value`.execute(scope.db)
  return byPrompt(rows)
}

type Row = Seen & { prompt_id: number }

function byPrompt(rows: readonly Row[]): Tallies {
  const tallies: Tallies = new Map()
  for (const { prompt_id, value, visibility, count } of rows)
    tallies.set(prompt_id, [...(tallies.get(prompt_id) ?? []), { value, visibility, count: Number(count) }])
  return tallies
}
