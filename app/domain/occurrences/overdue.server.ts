/** When a lift is overdue: the same for its learner, their sponsor, the weekly brief, and who counts as behind. */
import { sql } from 'kysely'

/** Of the occurrence `o`. */
export const HAS_COME = sql<boolean>`(o.due_at <= scope_now() and o.state not in ('held', 'cancelled'))`
/** What never reached its learner is not late; what is suppressed stands in their to-do list without a message. */
export const REACHED = sql`'sent', 'opened', 'responded', 'suppressed'`
const HAS_REACHED = sql<boolean>`o.state in (${REACHED})`
/** Of the occurrence `o` of the lift `l` in the journey `j`. */
export const IS_OVERDUE = sql<boolean>`(${HAS_COME} and l.required and ${HAS_REACHED}
  and least(o.closes_at, j.answers_until, 'infinity') > scope_now() and o.due_at < scope_now() - interval '3 days')`
