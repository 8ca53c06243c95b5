import { invalid } from '../errors.ts'
import { ScheduleRule } from '../lifts/schedule-rule.ts'
import type { Scope } from '../scope/scope.server.ts'

type Standing = { id: number; title: string; position: number; status: string; schedule: ScheduleRule }

/** Refuses a rule with which a lift would wait for itself, for a lift of another journey, or for one that waits for it. */
export async function requireSoundRule(
  { db }: Scope,
  journeyId: number,
  liftId: number | null,
  rule: ScheduleRule | undefined,
): Promise<void> {
  if (!rule || !(rule.kind === 'after_lift' || followsPrevious(rule))) return
  const rows = await db
    .selectFrom('lifts')
    .select(['id', 'title', 'position', 'status', 'schedule'])
    .where('journey_id', '=', journeyId)
    .orderBy('position')
    .execute()
  // The lift as it would be with this rule, once it is ready.
  const lifts = rows.map((row): Standing => {
    const schedule = ScheduleRule.parse(row.schedule)
    return row.id === liftId ? { ...row, schedule: rule, status: 'ready' } : { ...row, schedule }
  })
  if (rule.kind === 'after_lift' && !lifts.some(({ id }) => id === rule.lift_id))
    throw invalid({ schedule: ['After which lift is not part of this journey.'] })
  const lift = lifts.find(({ id }) => id === liftId)
  const [first, ...others] = lift ? awaitedBy(lift, lifts) : []
  if (lift && first === lift) throw invalid({ schedule: ['A lift cannot wait for itself.'] })
  if (lift && others.includes(lift))
    throw invalid({ schedule: [`“${first?.title}” waits for this lift already.`] })
}

/** Ready lifts that would never come, with the reason: the lift that they wait for is missing, not ready, or waits for them. */
export function findStranded(lifts: readonly Standing[]): { id: number; message: string }[] {
  const ready = lifts.filter((lift) => lift.status === 'ready')
  return ready.flatMap((lift) => {
    const { id, title, position, schedule } = lift
    const [first, ...others] = awaitedBy(lift, lifts)
    if (others.includes(lift))
      return [{ id, message: `“${title}” waits for “${first?.title}”, which comes only after it.` }]
    if (schedule.kind === 'after_lift') {
      if (first?.status === 'ready') return []
      return [{ id, message: `“${title}” waits for “${first?.title ?? 'a lift'}”, which is not ready.` }]
    }
    if (!followsPrevious(schedule) || ready.some((other) => other.position < position)) return []
    return [{ id, message: `“${title}” waits for the lift before it, and there is none.` }]
  })
}

const followsPrevious = (rule: ScheduleRule): boolean =>
  rule.kind === 'offset' && rule.from === 'previous_lift_completed'

/** The chain of lifts that a lift waits for; `lifts` in order. Stops before a cycle repeats. */
function awaitedBy(lift: Standing, lifts: readonly Standing[]): Standing[] {
  const found = new Set<Standing>()
  for (let next = nextAwaited(lift, lifts); next && !found.has(next); next = nextAwaited(next, lifts))
    found.add(next)
  return [...found]
}

function nextAwaited({ schedule, position }: Standing, lifts: readonly Standing[]): Standing | undefined {
  if (schedule.kind === 'after_lift') return lifts.find(({ id }) => id === schedule.lift_id)
  if (!followsPrevious(schedule)) return undefined
  return lifts.findLast((lift) => lift.status === 'ready' && lift.position < position)
}
