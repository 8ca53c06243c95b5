/** Why messages failed or their delivery is unknown: each occurrence counts by its last message. */
import { type SqlBool, sql } from 'kysely'
import type { Scope } from '../../scope/scope.server.ts'
import { failureCode } from '../failure-code.server.ts'
import { failureInWords } from '../failure-words.server.ts'
import { requireSubjects } from '../filters.server.ts'
import { asOf, selectFacts } from '../population.server.ts'
import type { AnalyticsFilters } from '../query.ts'
import { requireFew, sumsOf } from '../sums.server.ts'
import type { Failures } from './pictures.ts'

export type Failed = {
  assigned: number
  data: Pick<Failures['data'][number], 'outcome' | 'code' | 'count'>[]
}

export async function getFailures(scope: Scope, query: AnalyticsFilters): Promise<Failures> {
  const as_of = await asOf(scope, query)
  await requireSubjects(scope, query)
  const { rows } = await (await selectFailures(scope, query, as_of)).execute(scope.db)
  return failuresOf(rows[0], as_of)
}

export const failuresOf = ({ assigned, data }: Failed = NONE, as_of: Date): Failures => ({
  as_of: as_of.toISOString(),
  assigned,
  data: data.map((row) => ({ ...row, reason: failureInWords(row.outcome, row.code) })),
})
const NONE: Failed = { assigned: 0, data: [] }

export async function selectFailures(scope: Scope, query: AnalyticsFilters, as_of: Date) {
  const sums = sumsOf(scope, query, as_of)
  if (!sums) await requireFew(scope, query, as_of)
  const facts = selectFacts(scope, query, as_of)
  const counted = sums ?? sql`(${facts.select(sql`1`.as('assigned'))})`
  const ended = facts
    // Worded like the partial index.
    .where(sql<SqlBool>`f.delivery not in ('accepted', 'pending')`)
    .select(['f.tenant_id', 'f.occurrence_id', 'f.delivery'])
  return sql<Failed>`
    with reasons as (
      select f.delivery as outcome, ${failureCode} as code, count(*) as count from (${ended}) f group by 1, 2
    )
    select (select coalesce(sum(assigned), 0)::bigint from ${counted} counted) as assigned,
      coalesce((select jsonb_agg(to_jsonb(reasons) order by count desc, outcome, code) from reasons), '[]') as data`
}
