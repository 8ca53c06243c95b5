import { dayIn, formatDate } from '#app/domain/text/date-format.ts'

/** The time of an event for its reader: "Today, 3:04 PM", "Yesterday, 9:30 AM", or a short date. */
export function stampOf(at: string, zone: string, now: Date): string {
  const then = new Date(at)
  if (Number.isNaN(then.getTime())) return ''
  const days = dayNumber(now, zone) - dayNumber(then, zone)
  if (days === 0) return `Today, ${timeIn(zone, then)}`
  if (days === 1) return `Yesterday, ${timeIn(zone, then)}`
  return formatDate(then, { dateStyle: 'medium', timeZone: zone })
}

const timeIn = (zone: string, at: Date): string => formatDate(at, { timeStyle: 'short', timeZone: zone })

const MS_OF_DAY = 86_400_000

/** Calendar days, not periods of 24 hours: the clock changes twice a year. */
const dayNumber = (at: Date, zone: string): number => Date.parse(dayIn(zone, at)) / MS_OF_DAY
