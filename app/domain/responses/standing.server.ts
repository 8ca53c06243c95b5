/** Answers and scores as of a moment, or the current ones; `r` are responses. */
import { type SqlBool, sql } from 'kysely'

/** Each learner's answer to each question at that moment, or now. Earlier answers are few, and have an index of their own. */
export const stood = (as_of: Date | null) =>
  as_of === null
    ? sql<SqlBool>`r.is_current`
    : sql<SqlBool>`(r.submitted_at <= ${as_of} and (r.is_current or not (
        ${isFollowed(as_of, sql`later.is_current`)}
        or ${isFollowed(as_of, sql`not later.is_current and (later.submitted_at, later.id) > (r.submitted_at, r.id)`)})))`

const isFollowed = (as_of: Date, by: ReturnType<typeof sql>) => sql`exists (
  select from responses later where later.tenant_id = r.tenant_id and later.member_id = r.member_id
    and later.prompt_id = r.prompt_id and later.submitted_at <= ${as_of} and ${by})`

/** The score at that moment; later ones do not count. */
export function scoreBy(as_of: Date | null) {
  const isThere = as_of === null ? sql`true` : sql`coalesce(r.scored_at, r.submitted_at) <= ${as_of}`
  return [
    sql<number | null>`case when ${isThere} then r.score end`.as('score'),
    sql<string>`case when ${isThere} then r.score_comment else '' end`.as('comment'),
  ] as const
}
