import { useReaderZone } from './reader-zone.ts'

/** The day of an instant in its reader's zone; the instant itself stands in the title. */
export function Day({ at, zone }: { at: string; zone?: string }) {
  const readers = useReaderZone()
  const date = new Date(at)
  return (
    <time dateTime={at} title={`${MOMENT.format(date)} UTC`}>
      {dayFormat(zone ?? readers).format(date)}
    </time>
  )
}

const MOMENT = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
const DAYS = new Map<string, Intl.DateTimeFormat>()

/** Making a format costs a hundred times what using it does. */
function dayFormat(zone: string): Intl.DateTimeFormat {
  const known = DAYS.get(zone)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: zone })
  DAYS.set(zone, made)
  return made
}
