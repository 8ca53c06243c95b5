/** The title of the weekly chart, as one sentence. */
import type { Rate } from '#app/domain/analytics/figures.ts'
import type { Trend } from '#app/domain/analytics/pictures/pictures.ts'
import { percent } from '#app/domain/analytics/rate.ts'
import { dayInWords } from '#app/domain/text/date-format.ts'

type Week = Pick<Trend['weeks'][number], 'week' | 'response' | 'completion'>

export const shareOf = ({ n, d }: Rate): number => (d === 0 ? 0 : n / d)
export const noon = (day: string) => new Date(`${day}T12:00:00Z`)

/** Considers only weeks in which something was due. */
export function titleOfTrend(weeks: readonly Week[]): string {
  const [before, last] = weeks.filter(({ response }) => response.d > 0).slice(-2)
  if (!before || !last) return titleOfCompletion(weeks.findLast(({ completion }) => completion.d > 0))
  const due = last.response.d < last.completion.d ? 'what was due with a question' : 'what was due'
  const now = `${percent(last.response)} of ${due} in the week of ${dayInWords(last.week)} is answered`
  // Equal rounded percentages count as unchanged.
  if (percent(last.response) === percent(before.response)) return `${now}, as much as before`
  const way = shareOf(last.response) > shareOf(before.response) ? 'up' : 'down'
  return `${now}, ${way} from ${percent(before.response)}`
}

const titleOfCompletion = (last: Week | undefined): string =>
  last
    ? `${percent(last.completion)} of what was due in the week of ${dayInWords(last.week)} is completed`
    : 'Nothing was due in these weeks'
