import type { FormState } from '#app/domain/assessments/form.ts'
import { Badge, type Tone } from '#app/ui/badge.tsx'

const STATES: Record<FormState, { tone: Tone; word: string }> = {
  not_open: { tone: 'neutral', word: 'Not open' },
  open: { tone: 'accent', word: 'Open' },
  in_progress: { tone: 'warning', word: 'In progress' },
  submitted: { tone: 'success', word: 'Submitted' },
  closed: { tone: 'neutral', word: 'Closed' },
}

export const StateBadge = ({ state }: { state: FormState }) => (
  <Badge tone={STATES[state].tone}>{STATES[state].word}</Badge>
)
