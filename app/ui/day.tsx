import { dateFormat } from '#app/domain/date-format.ts'
import { useReaderZone } from './reader-zone.ts'

/** The day of an instant in its reader's zone; the instant itself stands in the title. */
export function Day({ at, zone }: { at: string; zone?: string }) {
  const readers = useReaderZone()
  const date = new Date(at)
  return (
    <time dateTime={at} title={`${MOMENT.format(date)} UTC`}>
      {dateFormat('en-US', { dateStyle: 'medium', timeZone: zone ?? readers }).format(date)}
    </time>
  )
}

const MOMENT = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
