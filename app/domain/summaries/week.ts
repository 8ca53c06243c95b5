/** Last week's results of an administrator's or author's journeys, for the Monday mail. */
import type { Figures } from '../analytics/figures.ts'
import { percent } from '../analytics/rate.ts'
import { LOCALE } from '../text/figures.ts'
import { mailOf } from '../text/letter.ts'

export type JourneyWeek = {
  id: number
  name: string
  /** Figures of what was due last week; null if nothing was. */
  figures: Figures | null
  /** Occurrences planned for the coming week. */
  coming: number
}
export type Week = { from: string; to: string }

type Reader = { first_name: string; company: string; origin: string; unsubscribe?: string | undefined }

const MAX = 20

export function summaryMail(reader: Reader, { from, to }: Week, journeys: readonly JourneyWeek[]) {
  const { first_name, company, origin, unsubscribe } = reader
  const more = journeys.length - MAX
  const said = journeys
    .slice(0, MAX)
    .flatMap((journey) => [
      '\n- ',
      { label: journey.name, url: `${origin}/analytics?journey=${journey.id}&from=${from}&to=${to}` },
      `: ${figuresOf(journey).join('; ')}`,
    ])
  return mailOf(`Your journeys, ${dayOf(from)} to ${dayOf(to)}`, {
    words: [
      `${first_name ? `Hi ${first_name},` : 'Hello,'}\n\nWhat was due last week, and what became of it so far:`,
      ...said,
      ...(more > 0 ? [`\n\nAnd ${more} more.`] : []),
    ],
    button: { label: 'Open Analytics', url: `${origin}/analytics?from=${from}&to=${to}` },
    why: [
      `You’re getting this e-mail on Mondays because you asked ${company} for it. `,
      { label: 'Change this setting', url: `${origin}/settings/privacy` },
    ],
    unsubscribe,
  })
}

function figuresOf({ figures, coming }: JourneyWeek): string[] {
  const next = coming > 0 ? [`${coming} planned for this week`] : []
  if (!figures) return ['nothing was due', ...next]
  const { response, completion, counts } = figures
  return [
    ...(response.d > 0 ? [`${response.n} of ${response.d} answered (${percent(response)})`] : []),
    `${completion.n} of ${completion.d} completed (${percent(completion)})`,
    ...(counts.failed > 0 ? [`${counts.failed} failed to send`] : []),
    ...next,
  ]
}

const dayOf = (day: string): string =>
  new Date(`${day}T12:00:00Z`).toLocaleDateString(LOCALE, {
    month: 'short',
    day: 'numeric',
    timeZone: 'UTC',
  })
