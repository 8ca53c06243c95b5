/** The questions of one lift: how many of those who were asked answered, and with which option. */
import { sql } from 'kysely'
import { getLift } from '../lifts/lifts.server.ts'
import type { Scope } from '../scope.server.ts'
import type { AnalyticsQuery, PromptFigures } from './figures.ts'
import { selectFacts } from './population.server.ts'

/** Fewer answers than this would tell who gave which. */
const FEWEST_SHOWN = 5

/** Answers that only the learner may see are counted, never shown; anonymous ones not while they are few. */
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
  const answers = await scope.db
    .selectFrom('responses as r')
    .select(['r.prompt_id', 'r.value', sql<number>`count(*)`.as('count')])
    .where('r.lift_id', '=', liftId)
    .where('r.is_current', '=', true)
    .where('r.submitted_at', '<=', as_of)
    .where('r.member_id', 'in', facts.select('f.member_id'))
    .groupBy(['r.prompt_id', 'r.value'])
    .execute()
  return lift.prompts
    .filter((prompt) => query.prompt_id === undefined || prompt.id === query.prompt_id)
    .map(({ id, text, kind, options, visibility }) => {
      const own = answers.filter((answer) => answer.prompt_id === id)
      const countOf = (option: string) => sum(own.filter(({ value }) => [value].flat().includes(option)))
      return {
        prompt_id: id,
        text,
        kind,
        response: { n: sum(own), d: asked },
        options:
          visibility === 'learner_only' || (visibility === 'aggregate_only' && sum(own) < FEWEST_SHOWN)
            ? []
            : options.map((option) => ({ ...pick(option), count: countOf(option.id) })),
      }
    })
}

const sum = (rows: readonly { count: number }[]) => rows.reduce((total, row) => total + Number(row.count), 0)
const pick = ({ id, text, correct }: { id: string; text: string; correct: boolean | null }) => ({
  id,
  text,
  correct,
})
