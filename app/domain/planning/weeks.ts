import { dayIn } from '#app/domain/text/date-format.ts'
import { addDays, WEEKDAYS } from '../hours/wall-time.ts'
import type { ScheduleRule } from '../lifts/schedule-rule.ts'

const WEEK_MS = 7 * 86_400_000

type Dated = { schedule: ScheduleRule; counts: { first_due_at: string | null } }
type Calendar = { start_on: string | null; zone: string }

const mondayOf = (day: string): string => addDays(day, -((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7))

/** The first day for which it is planned, otherwise the day of its rule. Null: unknown. */
export function expectedDay({ schedule, counts }: Dated, { start_on, zone }: Calendar): string | null {
  if (counts.first_due_at) return dayIn(zone, new Date(counts.first_due_at))
  if (schedule.kind === 'absolute') return schedule.date
  if (!start_on) return null
  if (schedule.kind === 'offset' && schedule.from === 'start') return addDays(start_on, schedule.days)
  if (schedule.kind === 'weekly')
    return addDays(mondayOf(start_on), (schedule.week - 1) * 7 + WEEKDAYS.indexOf(schedule.weekday))
  return null
}

export type Week<Lift> = {
  monday: string | null
  /** The number of whole weeks without a lift before it. */
  gap: number
  /** Whether today is in this week, or between the previous one and this. */
  today: 'inside' | 'before' | null
  lifts: { lift: Lift; day: string | null }[]
}

/** Groups neighbors of the same week, in the order of the journey. */
export function byWeek<Lift extends Dated>(
  lifts: readonly Lift[],
  calendar: Calendar,
  today: string,
): Week<Lift>[] {
  const weeks: Week<Lift>[] = []
  for (const lift of lifts) {
    const day = expectedDay(lift, calendar)
    // The day on which somebody sent it manually says nothing about its place among the weeks.
    const monday = day && !isByHand(lift) ? mondayOf(day) : null
    const last = weeks.at(-1)
    if (last && last.monday === monday) last.lifts.push({ lift, day })
    else
      weeks.push({
        monday,
        today: whereIsToday(latest(weeks), monday, today),
        // No gap next to an outdated day for which nobody was ever planned.
        gap: isLeftBehind({ lift, day }, today)
          ? 0
          : weeksBetween(latest(weeks.filter((week) => isInPlan(week, today))), monday),
        lifts: [{ lift, day }],
      })
  }
  return weeks
}

const isByHand = ({ schedule }: Dated): boolean => schedule.kind === 'manual' && !schedule.at_launch

/** Dated before today and sent to nobody, as in a copy of last year's journey. */
const isLeftBehind = ({ lift, day }: Week<Dated>['lifts'][number], today: string): boolean =>
  lift.schedule.kind === 'absolute' && day !== null && day < today && lift.counts.first_due_at === null

const isInPlan = (week: Week<Dated>, today: string): boolean =>
  week.monday !== null && week.lifts.some((one) => !isLeftBehind(one, today))

/** The last in the calendar: authors order lifts as they like. */
const latest = (weeks: readonly Week<unknown>[]): string | undefined =>
  weeks
    .flatMap(({ monday }) => monday ?? [])
    .toSorted()
    .at(-1)

function weeksBetween(before: string | undefined, monday: string | null): number {
  if (!before || !monday) return 0
  return Math.max(0, Math.round((Date.parse(monday) - Date.parse(before)) / WEEK_MS) - 1)
}

function whereIsToday(before: string | undefined, monday: string | null, today: string) {
  if (!monday) return null
  const now = mondayOf(today)
  if (now === monday) return 'inside' as const
  return before && before < now && now < monday ? ('before' as const) : null
}
