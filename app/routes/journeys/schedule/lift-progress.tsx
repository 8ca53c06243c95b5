import { Badge, type Tone } from '#app/ui/badge.tsx'
import type { TimelineShown } from './timeline-shown.ts'

const PROGRESS = {
  draft: ['Draft', 'neutral'],
  retired: ['Retired', 'neutral'],
  ready: ['Ready', 'accent'],
  planned: ['Planned', 'accent'],
  sending: ['Sending', 'accent'],
  sent: ['Sent', 'success'],
  unsent: ['Not sent', 'warning'],
} as const satisfies Record<string, [string, Tone]>

type Told = TimelineShown['lifts'][number]
type Lift = {
  status: Told['status']
  counts: Pick<Told['counts'], 'assigned' | 'pending' | 'accepted' | 'unknown'>
}

/** The progress of a lift: planned from the launch on, and sent once nobody waits for it. */
export function LiftProgress(lift: Lift) {
  const [words, tone] = PROGRESS[progressOf(lift)]
  return <Badge tone={tone}>{words}</Badge>
}

export function progressOf({
  status,
  counts: { assigned, pending, accepted, unknown },
}: Lift): keyof typeof PROGRESS {
  if (status !== 'ready') return status
  if (assigned === 0) return 'ready'
  if (pending === assigned) return 'planned'
  if (pending > 0) return 'sending'
  return accepted + unknown > 0 ? 'sent' : 'unsent'
}
