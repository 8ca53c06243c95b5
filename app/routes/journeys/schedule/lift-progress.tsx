import { isClosed, type JourneyStatus } from '#app/domain/journeys/journey-status.ts'
import { Badge, type Tone } from '#app/ui/badge.tsx'
import type { TimelineShown } from './timeline-shown.ts'

const PROGRESS = {
  draft: ['Draft', 'neutral'],
  retired: ['Retired', 'neutral'],
  ready: ['Ready', 'accent'],
  planned: ['Planned', 'accent'],
  sending: ['Sending', 'accent'],
  paused: ['Paused', 'neutral'],
  sent: ['Sent', 'success'],
  unsent: ['Not sent', 'warning'],
} as const satisfies Record<string, [string, Tone]>

type Told = TimelineShown['lifts'][number]
type Lift = {
  status: Told['status']
  counts: Pick<Told['counts'], 'assigned' | 'pending' | 'accepted' | 'unknown'>
}

/** The progress of a lift: planned from the launch on, and sent once nobody waits for it or the journey is over. */
export function LiftProgress(props: Lift & { journey: JourneyStatus }) {
  const [words, tone] = PROGRESS[progressOf(props, props.journey)]
  return <Badge tone={tone}>{words}</Badge>
}

export function progressOf(
  { status, counts: { assigned, pending, accepted, unknown } }: Lift,
  journey: JourneyStatus,
): keyof typeof PROGRESS {
  if (status !== 'ready') return status
  if (!isClosed(journey)) {
    if (assigned === 0) return 'ready'
    if (pending > 0 && journey === 'paused') return 'paused'
    if (pending === assigned) return 'planned'
    if (pending > 0) return 'sending'
  }
  return accepted + unknown > 0 ? 'sent' : 'unsent'
}
