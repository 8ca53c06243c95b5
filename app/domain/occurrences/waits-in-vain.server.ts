/** Lifts that wait for the completion of another one, and never come because that one closed first. */
import { sql } from 'kysely'

/** For the occurrence `o` of the lift `l`: the learner's last ready lift before it. */
export const LIFT_BEFORE = sql<number | null>`(select p.id from lifts p
  where p.journey_id = l.journey_id and p.position < l.position and p.status = 'ready'
    and exists (select from occurrences met
      where met.tenant_id = p.tenant_id and met.lift_id = p.id and met.member_id = o.member_id
        and met.state <> 'cancelled')
  order by p.position desc limit 1)`

/** For the occurrence `o` of the lift `l`: the lift that its rule waits for. */
export const AWAITED = sql<number | null>`case l.schedule ->> 'kind'
  when 'after_lift' then (l.schedule ->> 'lift_id')::bigint
  when 'offset' then case l.schedule ->> 'from' when 'previous_lift_completed' then ${LIFT_BEFORE} end end`

/**
 * The occurrence `o` of the lift `l` cannot come next: the lift that it waits for has closed, or has no day itself.
 */
export const IS_NOT_NEXT = sql<boolean>`(o.due_at is null and coalesce((select true from occurrences awaited
  where awaited.member_id = o.member_id and awaited.lift_id = ${AWAITED} and awaited.state <> 'completed'
    and (awaited.due_at is null or awaited.state = 'expired' or awaited.closes_at <= scope_now())), false))`

type Planned = {
  lift_id: number
  state: string
  due_at: Date | null
  closes_at: Date | null
  awaited: number | null
}

/** The lifts that will never come, among all of one learner in a journey. */
export function inVain(occurrences: readonly Planned[], now: Date): ReadonlySet<number> {
  const byLift = new Map(occurrences.map((one) => [one.lift_id, one]))
  const isInVain = ({ due_at, awaited }: Planned): boolean => {
    const before = due_at === null && awaited !== null ? byLift.get(awaited) : undefined
    if (!before || before.state === 'completed') return false
    const isClosed = before.state === 'expired' || (before.closes_at !== null && before.closes_at <= now)
    return isClosed || isInVain(before)
  }
  return new Set(occurrences.filter(isInVain).map(({ lift_id }) => lift_id))
}
