/** Who is behind: learners with a required lift that reached them, has waited for more than three days, and can still be done. */
import { type SqlBool, sql } from 'kysely'
import { REACHED } from '../occurrences/overdue.server.ts'

/** `j` is a journey that still takes answers now, even in a report as of an earlier moment. */
export const TAKES_ANSWERS = sql<SqlBool>`(j.status in ('scheduled', 'active', 'paused', 'completed')
  and coalesce(j.answers_until, 'infinity') > scope_now())`

/** Worded like the partial index: a function such as coalesce in it would keep row-level security from using the index. */
export const IS_BEHIND = sql<SqlBool>`(f.required and f.completed_at is null and f.state <> 'expired' and f.left_at is null
  and f.state in (${REACHED}) and f.due_at < (select scope_now()) - interval '3 days'
  and (f.closes_at is null or f.closes_at > (select scope_now())))`

/** Sent, not answered, and still open, as the home page counts it; also about the present moment. */
export const IS_WAITING = sql<SqlBool>`(f.accepted_at is not null and f.responded_at is null and f.completed_at is null
  and f.left_at is null and (f.closes_at is null or f.closes_at > (select scope_now())))`

/**
 * `p` is a learner in a journey who is behind. Of what never closes, since when they owe it says all; of what closes,
 * a fact says whether it was due long enough ago.
 */
export const OWES = sql<SqlBool>`(p.owes_from < (select scope_now()) - interval '3 days'
  or (p.owes_until > (select scope_now()) and exists (select from fact_occurrence f
    where f.tenant_id = p.tenant_id and f.member_id = p.member_id and f.is_counted and ${IS_BEHIND} offset 0)))`
