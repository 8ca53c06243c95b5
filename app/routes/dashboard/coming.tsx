/** The next lift of a journey and its time, on the learner's clock. */
import type { LearnerJourney } from '#app/domain/participants/learning.ts'
import { Day } from '#app/ui/day.tsx'

type ComingProps = { journey: LearnerJourney; zone: string; lead?: string }

export function Coming({ journey: { coming, status }, zone, lead }: ComingProps) {
  if (status === 'paused') return <>Paused at the moment</>
  if (!coming) return <>Nothing more is planned</>
  return (
    <>
      {lead}
      {coming.title}, {coming.due_at ? <Day at={coming.due_at} zone={zone} timed /> : 'later'}
    </>
  )
}

/** A journey can be over without being completed. */
export const endOf = ({ completed, total }: LearnerJourney): string =>
  completed === total ? 'Finished' : 'Closed: the rest can no longer be answered'

/** Journeys by the time of their next lift; then those without a time, then finished ones. */
export const comingFirst = (journeys: readonly LearnerJourney[]): LearnerJourney[] =>
  journeys.toSorted((one, other) => dueOf(one) - dueOf(other))

const dueOf = ({ coming, is_finished }: LearnerJourney): number =>
  is_finished ? Number.MAX_VALUE : coming?.due_at ? Date.parse(coming.due_at) : Number.MAX_SAFE_INTEGER
