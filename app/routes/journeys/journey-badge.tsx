import type { JourneyStatus } from '#app/domain/journeys/journey-status.ts'
import { Badge, type Tone } from '#app/ui/badge.tsx'

const TONES: Record<JourneyStatus, Tone> = {
  draft: 'neutral',
  scheduled: 'accent',
  active: 'success',
  paused: 'warning',
  completed: 'neutral',
  archived: 'neutral',
}

export const inWords = (name: string): string =>
  name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ')

export const JourneyBadge = ({ status }: { status: JourneyStatus }) => (
  <Badge tone={TONES[status]}>{inWords(status)}</Badge>
)
