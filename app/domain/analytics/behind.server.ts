/** Who is behind: with a required lift that has waited for more than three days, and can still be done. */
import { type SqlBool, sql } from 'kysely'

/** `f` is a fact that is counted, `j` its journey. It is about now, whatever a report is as of. */
export const IS_BEHIND = sql<SqlBool>`(f.required and f.completed_at is null and f.state <> 'expired'
  and f.due_at < scope_now() - interval '3 days' and least(f.closes_at, j.answers_until, 'infinity') > scope_now()
  and j.status in ('scheduled', 'active', 'paused', 'completed'))`
