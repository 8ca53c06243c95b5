/** The history of a commitment, step by step; empty if it was only made. */

import type { CommitmentEvent } from '#app/domain/lifts/commitment.ts'
import { dayInWords } from '#app/domain/text/date-format.ts'
import { isolated } from '#app/domain/text/isolated.ts'
import { Day } from './day.tsx'

export function CommitmentHistory({ history }: { history: readonly CommitmentEvent[] }) {
  if (history.length < 2) return null
  return (
    <details>
      <summary>History</summary>
      <ul>
        {history.map((event, index) => (
          <li key={event.at}>
            <Day at={event.at} />: {inWords(event, history[index - 1])}
          </li>
        ))}
      </ul>
    </details>
  )
}

function inWords({ state, what, by_on }: CommitmentEvent, before: CommitmentEvent | undefined): string {
  if (state === 'done') return 'Done'
  if (state === 'dropped') return 'Dropped'
  const isSame = before?.what === what && before.by_on === by_on
  if (isSame) return 'Reopened'
  return `${before ? 'Changed to' : 'Committed to'} “${isolated(what)}”, by ${dayInWords(by_on)}`
}
