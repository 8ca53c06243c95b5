/** The title of the chart of failures, as one sentence. */
import type { Failures } from '#app/domain/analytics/pictures/pictures.ts'
import { counted } from './words.ts'

type Failure = Pick<Failures['data'][number], 'reason' | 'outcome' | 'count'>

/** `data`: the most frequent first. Some of the unconfirmed messages may have arrived. */
export function titleOfFailures(data: readonly Failure[]): string {
  const total = data.reduce((sum, { count }) => sum + count, 0)
  const unknown = data.filter(({ outcome }) => outcome === 'unknown').length
  const may = 'may not have arrived'
  const failed =
    unknown === data.length
      ? counted(total, `message ${may}`, `messages ${may}`)
      : counted(total, 'message did not get through', 'messages did not get through') +
        (unknown > 0 ? `, or ${may}` : '')
  const reason = lower(data[0]?.reason ?? '')
  return data.length === 1 ? `${failed}: ${reason}` : `${failed}, most often because: ${reason}`
}

const lower = (words: string) => words.charAt(0).toLowerCase() + words.slice(1)
