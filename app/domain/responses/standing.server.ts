/** Answers and scores as of a moment, or the current ones; `r` are responses. */
import { type SqlBool, sql } from 'kysely'

/** Each learner's answer to each question at that moment, or now. */
export const stood = (as_of: Date | null) =>
  as_of === null
    ? sql<SqlBool>`r.is_current`
    : sql<SqlBool>`r.id = (select last.id from responses last where last.tenant_id = r.tenant_id
        and last.member_id = r.member_id and last.prompt_id = r.prompt_id and last.submitted_at <= ${as_of}
        order by last.submitted_at desc, last.id desc limit 1)`

/** The score at that moment; later ones do not count. */
export function scoreBy(as_of: Date | null) {
  const isThere = as_of === null ? sql`true` : sql`coalesce(r.scored_at, r.submitted_at) <= ${as_of}`
  return [
    sql<number | null>`case when ${isThere} then r.score end`.as('score'),
    sql<string>`case when ${isThere} then r.score_comment else '' end`.as('comment'),
  ] as const
}
