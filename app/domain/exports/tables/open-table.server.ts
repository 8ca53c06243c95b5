/** The table of an export, read with the same functions as the screens. */
import { ExplainQuery } from '../../analytics/explained/explained.ts'
import { AnalyticsQuery } from '../../analytics/query.ts'
import type { Scope } from '../../scope/scope.server.ts'
import type { ExportTable } from '../export-words.ts'
import { assessmentsTable } from './assessments.server.ts'
import { explainTable } from './explain.server.ts'
import { learnerTable } from './learner.server.ts'
import { answersTable, questionsTable } from './lift.server.ts'
import { failuresTable, gridTable, timingTable, trendTable } from './pictures.server.ts'
import { byLiftTable, byUserTable, overviewTable } from './reports.server.ts'
import type { Table } from './table.ts'

/** The query as stored when the export was requested. */
export type StoredQuery = Record<string, unknown> & { as_of: string }

export function openTable(scope: Scope, table: ExportTable, stored: StoredQuery): Promise<Table> {
  if (table === 'explain') return explainTable(scope, ExplainQuery.parse(stored))
  const query = AnalyticsQuery.parse(stored)
  const { journey = 0, user, lift, lift_id, prompt_id, lo_id, from, to, as_of, q } = query
  const narrowed = { prompt_id, lo_id, from, to, as_of, q }
  switch (table) {
    case 'overview':
      return overviewTable(scope, query)
    case 'trend':
      return trendTable(scope, query)
    case 'timing':
      return timingTable(scope, query)
    case 'failures':
      return failuresTable(scope, query)
    case 'grid':
      return gridTable(scope, journey, query)
    case 'by_user':
      return byUserTable(scope, query)
    case 'by_lift':
      return byLiftTable(scope, query)
    case 'learner':
      return learnerTable(scope, { ...narrowed, journey, user: user ?? 0, lift_id: lift ?? lift_id })
    case 'questions':
      return questionsTable(scope, query)
    case 'answers':
      return answersTable(scope, { ...narrowed, lift: lift ?? 0, user })
    case 'assessments':
      return assessmentsTable(scope, { journey: query.journey, lo_id, as_of: stored.as_of })
  }
}
