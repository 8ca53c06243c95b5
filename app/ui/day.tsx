import { formatDate } from '#app/domain/text/date-format.ts'
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
    <time dateTime={at} title={`${formatDate(date, MOMENT)} UTC`}>
      {formatDate(date, {
        dateStyle: 'medium',
        ...(timed ? { timeStyle: 'short' } : {}),
        timeZone: zone ?? readers,
      }).replace(BEFORE_AM_PM, '\u00a0')}
    </time>
  )
}

/** A line does not end there. */
const BEFORE_AM_PM = / (?=[AP]M)/

const MOMENT = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' } as const
