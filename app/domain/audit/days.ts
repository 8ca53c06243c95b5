import { Temporal } from 'temporal-polyfill'

/** The start of a day, or of the day `after` days later, in the reader's time zone. */
export function startOfDay(day: string, zone: string, after = 0): string {
  return Temporal.PlainDate.from(day).add({ days: after }).toZonedDateTime(zone).toInstant().toString()
}
