/** The order of a report's rows: by name, or by one of its figures. */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { AnalyticsQuery } from './query.ts'

const DEEDS = ['f.opened_at', 'f.responded_at', 'f.completed_at']

/** The learners' last activity by the as-of moment. */
export const activityBy = (as_of: Date) =>
  sql<Date | null>`max(greatest(${sql.join(
    DEEDS.map((deed) => sql`case when ${sql.ref(deed)} <= ${as_of} then ${sql.ref(deed)} end`),
  )}))`

/** `natural`: the default order; all of its columns are reversed together. */
export function inReportOrder({ order_by, order }: AnalyticsQuery, natural: RawBuilder<unknown>) {
  const direction = sql.raw(order === 'desc' ? 'desc' : 'asc')
  const share = {
    sent: sql`accepted::numeric / assigned`,
    opened: sql`opened_and_delivered::numeric / nullif(delivered, 0)`,
    answered: sql`responded::numeric / nullif(asked, 0)`,
    completed: sql`completed::numeric / assigned`,
    name: null,
    activity: sql`last_activity`,
  }[order_by]
  return share ? sql`${share} ${direction} nulls last, row(${natural})` : sql`row(${natural}) ${direction}`
}

/** As lists of people are searched: without regard to accents. */
export const isFoundBy = (q: string) => sql<SqlBool>`u.searchable like search_pattern(${q})`
