/** Who is behind: with a required lift that has waited for more than three days, and can still be done. */
import { type SqlBool, sql } from 'kysely'

/** `j` is a journey that still takes answers. It is about now, whatever a report is as of. */
export const TAKES_ANSWERS = sql<SqlBool>`(j.status in ('scheduled', 'active', 'paused', 'completed')
  and coalesce(j.answers_until, 'infinity') > scope_now())`

/** `f` is a fact that is counted, in words that its index has. */
export const IS_BEHIND = sql<SqlBool>`(f.required and f.completed_at is null and f.state <> 'expired'
  and f.due_at < scope_now() - interval '3 days' and coalesce(f.closes_at, 'infinity') > scope_now())`
