import { dateFormat } from '#app/domain/text/date-format.ts'

/** The time of an event for its reader: "Today, 3:04 PM", "Yesterday, 9:30 AM", or a short date. */
export function stampOf(at: string, zone: string, now: Date): string {
  const then = new Date(at)
  if (Number.isNaN(then.getTime())) return ''
  const days = dayNumber(now, zone) - dayNumber(then, zone)
  if (days === 0) return `Today, ${timeIn(zone, then)}`
  if (days === 1) return `Yesterday, ${timeIn(zone, then)}`
  return dateFormat({ dateStyle: 'medium', timeZone: zone }).format(then)
}

/** Some ICU versions put a narrow space before AM and PM; the screens use a plain one. */
const timeIn = (zone: string, at: Date): string =>
  dateFormat({ timeStyle: 'short', timeZone: zone }).format(at).replace('\u202f', ' ')

const MS_OF_DAY = 86_400_000

/** Calendar days, not periods of 24 hours: the clock changes twice a year. */
function dayNumber(at: Date, zone: string): number {
  const [year = 0, month = 1, day = 1] = dateFormat({ timeZone: zone }, 'sv-SE')
    .format(at)
    .split('-')
    .map(Number)
  return Date.UTC(year, month - 1, day) / MS_OF_DAY
}
