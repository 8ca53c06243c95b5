import { dateFormat } from '#app/domain/text/date-format.ts'
import { useReaderZone } from './reader-zone.ts'

type DayProps = {
  at: string
  zone?: string
  /** Whether the time is shown as well. */
  timed?: boolean
}

/** The day of an instant in the reader's time zone; the exact instant is in its title. */
export function Day({ at, zone, timed = false }: DayProps) {
  const readers = useReaderZone()
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return null
  return (
    <time dateTime={at} title={`${MOMENT.format(date)} UTC`}>
      {dateFormat({
        dateStyle: 'medium',
        ...(timed ? { timeStyle: 'short' } : {}),
        timeZone: zone ?? readers,
      })
        .format(date)
        .replace('\u202f', ' ')}
    </time>
  )
}

const MOMENT = dateFormat({ dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
