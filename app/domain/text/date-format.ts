import { LOCALE } from './figures.ts'

const MAX_FORMATS = 300

/** Creating a format costs a hundred times as much as using it. */
const formats = new Map<string, Intl.DateTimeFormat>()

function formatFor(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify(options)
  const known = formats.get(key)
  if (known) return known
  if (formats.size >= MAX_FORMATS) formats.clear()
  const format = new Intl.DateTimeFormat(LOCALE, options)
  formats.set(key, format)
  return format
}

/** Some ICU versions put a narrow space before AM and PM; the screens use a plain one. */
export const formatDate = (at: Date, options: Intl.DateTimeFormatOptions): string =>
  formatFor(options).format(at).replace('\u202f', ' ')

/** The day of the calendar in a zone, `2026-11-29`; from its parts, as browsers disagree about every locale's whole. */
export function dayIn(timeZone: string, at: Date): string {
  const parts = formatFor({ timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).formatToParts(at)
  return ['year', 'month', 'day'].map((wanted) => parts.find(({ type }) => type === wanted)?.value).join('-')
}

/** A wall-clock time as its reader says it: "9:00 AM". */
export const timeOfDay = (time: string): string =>
  formatDate(new Date(`1970-01-01T${time}Z`), { timeStyle: 'short', timeZone: 'UTC' })

/** A day of the calendar, `2026-11-29`, as its reader says it: "Nov 29, 2026". */
export const dayInWords = (date: string): string =>
  formatDate(new Date(`${date}T00:00:00Z`), { dateStyle: 'medium', timeZone: 'UTC' })
