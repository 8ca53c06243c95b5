/** Formats of dates, each made once: making one costs a hundred times what using it does. */

const made = new Map<string, Intl.DateTimeFormat>()
/** Far more than the zones that meet on a page; each holds some kilobytes. */
const MOST = 300

export function dateFormat(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify([locale, options])
  const known = made.get(key)
  if (known) return known
  if (made.size >= MOST) made.clear()
  const format = new Intl.DateTimeFormat(locale, options)
  made.set(key, format)
  return format
}
