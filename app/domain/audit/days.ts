import { Temporal } from 'temporal-polyfill'

/** The first moment of a day, or of the one `after` days later, where the reader is. */
export function startOfDay(day: string, zone: string, after = 0): string {
  return Temporal.PlainDate.from(day).add({ days: after }).toZonedDateTime(zone).toInstant().toString()
}
