/** Who is behind: with a required lift that reached them, waits for more than three days, and can still be done. */
import { type SqlBool, sql } from 'kysely'
import { REACHED } from '../occurrences/overdue.server.ts'

/** `j` is a journey that still takes answers. It is about now, whatever a report is as of. */
export const TAKES_ANSWERS = sql<SqlBool>`(j.status in ('scheduled', 'active', 'paused', 'completed')
  and coalesce(j.answers_until, 'infinity') > scope_now())`

/** In the words of the index: with a function's own words, such as coalesce, row-level security keeps it unused. */
export const IS_BEHIND = sql<SqlBool>`(f.required and f.completed_at is null and f.state <> 'expired' and f.left_at is null
  and f.state in (${REACHED}) and f.due_at < (select scope_now()) - interval '3 days'
  and (f.closes_at is null or f.closes_at > (select scope_now())))`

/** It was sent, is not answered, and still can be, as the home page counts it. It is about now too. */
export const IS_WAITING = sql<SqlBool>`(f.accepted_at is not null and f.responded_at is null and f.completed_at is null
  and f.left_at is null and (f.closes_at is null or f.closes_at > (select scope_now())))`

/** `p` is a learner in a journey: of those of whom something waits, from the facts. */
export const OWES = sql<SqlBool>`((p.owes_from < (select scope_now()) - interval '3 days'
  or p.owes_until > (select scope_now())) and exists (select from fact_occurrence f
    where f.tenant_id = p.tenant_id and f.member_id = p.member_id and f.is_counted and ${IS_BEHIND} offset 0))`
