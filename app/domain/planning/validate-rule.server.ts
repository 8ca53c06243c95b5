import { invalid } from '../errors.ts'
import { ScheduleRule } from '../lifts/schedule-rule.ts'
import type { Scope } from '../scope/scope.server.ts'

/** Refuses a lift that waits for itself, for one of another journey, or for one that waits for it. */
export async function requireSoundRule(
  { db }: Scope,
  journeyId: number,
  liftId: number | null,
  rule: ScheduleRule | undefined,
): Promise<void> {
  if (rule?.kind !== 'after_lift') return
  const rows = await db
    .selectFrom('lifts')
    .select(['id', 'title', 'schedule'])
    .where('journey_id', '=', journeyId)
    .execute()
  const lifts = new Map(rows.map((row) => [row.id, row]))
  if (!lifts.has(rule.lift_id)) throw invalid({ schedule: ['After which lift is not part of this journey.'] })
  const seen = new Set<number>()
  for (
    let next: number | undefined = rule.lift_id;
    next !== undefined && !seen.has(next);
    next = awaitedBy(lifts.get(next))
  ) {
    if (next === liftId)
      throw invalid({
        schedule: [
          next === rule.lift_id
            ? 'A lift cannot wait for itself.'
            : `“${lifts.get(rule.lift_id)?.title}” waits for this lift already.`,
        ],
      })
    seen.add(next)
  }
}

type Standing = { id: number; title: string; position: number; status: string; schedule: ScheduleRule }

/** Ready lifts that would never come, since what they wait for is not there or not ready; and why. */
export function findStranded(lifts: readonly Standing[]): { id: number; message: string }[] {
  const ready = lifts.filter((lift) => lift.status === 'ready')
  return ready.flatMap(({ id, title, position, schedule }) => {
    if (schedule.kind === 'after_lift') {
      const awaited = lifts.find((lift) => lift.id === schedule.lift_id)
      if (awaited?.status === 'ready') return []
      return [{ id, message: `“${title}” waits for “${awaited?.title ?? 'a lift'}”, which is not ready.` }]
    }
    const follows = schedule.kind === 'offset' && schedule.from === 'previous_lift_completed'
    if (!follows || ready.some((lift) => lift.position < position)) return []
    return [{ id, message: `“${title}” waits for the lift before it, and there is none.` }]
  })
}

function awaitedBy(lift: { schedule: unknown } | undefined): number | undefined {
  const rule = ScheduleRule.safeParse(lift?.schedule).data
  return rule?.kind === 'after_lift' ? rule.lift_id : undefined
}
