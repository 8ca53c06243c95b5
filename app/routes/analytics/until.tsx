/** The as-of moment of figures. */
import { dateFormat } from '#app/domain/text/date-format.ts'
import { Day } from '#app/ui/day.tsx'

type UntilProps = {
  /** The chosen day, in the time zone of the company or sub-tenant. */
  chosen: string | undefined
  today: string
  /** The moment of the figures; for a past day its end, the midnight after it. */
  at: string
  timed?: boolean
}

export const Until = ({ chosen, today, at, timed = false }: UntilProps) =>
  chosen && chosen < today ? <>the end of {inDate(chosen)}</> : <Day at={at} timed={timed} />

/** A day without a time, whatever the reader's zone. */
export const inDate = (day: string): string =>
  dateFormat({ dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(`${day}T12:00:00Z`))
