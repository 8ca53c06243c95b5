/** The questions of one lift: how many of those who were asked answered, and how the answers spread. */
import { sql } from 'kysely'
import { getLift } from '../lifts/lifts.server.ts'
import type { Prompt } from '../lifts/prompt.ts'
import { isReadable } from '../responses/response.ts'
import type { Scope } from '../scope.server.ts'
import { distributionOf, type Tally } from './distribution.ts'
import type { AnalyticsQuery, PromptFigures } from './figures.ts'
import { asOf, selectFacts } from './population.server.ts'

/** Fewer answers than this would tell who gave which. */
export const FEWEST_SHOWN = 5

type Seen = Tally & { visibility: string }
type Tallies = Map<number, Seen[]>

export async function listPromptFigures(
  scope: Scope,
  query: AnalyticsQuery,
  liftId: number,
  as_of: Date,
): Promise<PromptFigures[]> {
  const facts = selectFacts(scope, query, as_of)
  const { asked } = await facts.select(sql<number>`count(*)`.as('asked')).executeTakeFirstOrThrow()
  if (asked === 0) return []
  const lift = await getLift(scope, liftId)
  const given = await tallyAnswers(scope, query, liftId, as_of)
  const together = await tallyTogether(scope, lift)
  return lift.prompts
    .filter((prompt) => query.prompt_id === undefined || prompt.id === query.prompt_id)
    .map((prompt) => {
      const { id, text, kind, visibility } = prompt
      const own = given.get(id) ?? []
      return {
        ...{ prompt_id: id, text, kind, visibility },
        response: { n: own.reduce((sum, { count }) => sum + count, 0), d: asked },
        ...shown(
          prompt,
          visibility === 'aggregate_only'
            ? (together.get(id) ?? [])
            : own.filter((tally) => isReadable(tally.visibility)),
        ),
      }
    })
}

function shown(prompt: Prompt, tallies: readonly Tally[]) {
  const isHidden = prompt.visibility === 'learner_only' || tallies.length === 0
  const spread = distributionOf(prompt, isHidden ? [] : tallies)
  return isHidden ? { ...spread, options: [] } : spread
}

async function tallyAnswers(scope: Scope, query: AnalyticsQuery, liftId: number, as_of: Date) {
  const rows = await scope.db
    .selectFrom('responses as r')
    .select(['r.prompt_id', 'r.value', 'r.visibility', sql<number>`count(*)`.as('count')])
    .where('r.lift_id', '=', liftId)
    .where('r.is_current', '=', true)
    .where('r.submitted_at', '<=', as_of)
    .where('r.member_id', 'in', selectFacts(scope, query, as_of).select('f.member_id'))
    .groupBy(['r.prompt_id', 'r.value', 'r.visibility'])
    .execute()
  return byPrompt(rows)
}

/**
 * Answers that are only counted, whatever the filters: in groups of five by when they came, each shown whole or not at
 * all. No two reports differ in fewer than five people, so that none tells by subtraction what one of them said.
 */
async function tallyTogether(scope: Scope, lift: { id: number; journey_id: number; prompts: Prompt[] }) {
  const ids = lift.prompts.filter(({ visibility }) => visibility === 'aggregate_only').map(({ id }) => id)
  if (ids.length === 0) return new Map<number, Seen[]>()
  const whole = { journey: lift.journey_id, lift: lift.id, page: 1, per_page: 1 }
  const counted = selectFacts(scope, whole, asOf(whole)).select('f.member_id')
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
