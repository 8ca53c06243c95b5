/** The as-of moment of figures. */
import { dayInWords } from '#app/domain/text/date-format.ts'
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
  chosen && chosen < today ? <>the end of {dayInWords(chosen)}</> : <Day at={at} timed={timed} />
