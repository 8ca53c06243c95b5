/** Answers and their scores as they stood at a moment; without one, as they stand. `r` are responses. */
import { type SqlBool, sql } from 'kysely'

/** Of each learner and question the answer that stood then, or stands now. */
export const stood = (as_of: Date | null) =>
  as_of === null
    ? sql<SqlBool>`r.is_current`
    : sql<SqlBool>`r.id = (select last.id from responses last where last.tenant_id = r.tenant_id
        and last.member_id = r.member_id and last.prompt_id = r.prompt_id and last.submitted_at <= ${as_of}
        order by last.submitted_at desc, last.id desc limit 1)`

/** A score that was given later is not there yet. */
export function scoreBy(as_of: Date | null) {
  const isThere = as_of === null ? sql`true` : sql`coalesce(r.scored_at, r.submitted_at) <= ${as_of}`
  return [
    sql<number | null>`case when ${isThere} then r.score end`.as('score'),
    sql<string>`case when ${isThere} then r.score_comment else '' end`.as('comment'),
  ] as const
}
