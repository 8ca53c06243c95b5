/**
 * When a lift is overdue: one definition for its learner, their sponsor, the weekly brief and "behind" in analytics.
 */
import { sql } from 'kysely'

/** For the occurrence `o`. */
export const HAS_COME = sql<boolean>`(o.due_at <= scope_now() and o.state not in ('held', 'cancelled'))`
/** A lift that never reached its learner is not overdue; a suppressed one reached them through the to-do list. */
export const REACHED = sql`'sent', 'opened', 'responded', 'suppressed'`
const HAS_REACHED = sql<boolean>`o.state in (${REACHED})`
/** For the occurrence `o` of the lift `l` in the journey `j`. */
export const IS_OVERDUE = sql<boolean>`(${HAS_COME} and l.required and ${HAS_REACHED}
  and least(o.closes_at, j.answers_until, 'infinity') > scope_now() and o.due_at < scope_now() - interval '3 days')`
