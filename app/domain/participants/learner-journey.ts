/** One journey as its learner sees it: past, waiting and coming lifts. */
import { z } from 'zod'
import { JOURNEY_STATUSES } from '../journeys/journey-status.ts'

export const LearnerLift = z.object({
  id: z.number().int(),
  title: z.string(),
  est_minutes: z.number().int(),
  required: z.boolean(),
  /** `coming`: not yet; `open`: can be read and answered; then `completed` or `closed`. */
  state: z.enum(['coming', 'open', 'completed', 'closed']),
  is_started: z.boolean(),
  /** Null while it waits for another lift or for a person. */
  due_at: z.string().nullable(),
  closes_at: z.string().nullable(),
  completed_at: z.string().nullable(),
})
export type LearnerLift = z.infer<typeof LearnerLift>

export const LearnerJourneyPage = z.object({
  id: z.number().int(),
  name: z.string(),
  description: z.string(),
  status: z.enum(JOURNEY_STATUSES),
  sponsor: z.string().nullable(),
  completed: z.number().int(),
  lifts: z.array(LearnerLift),
  has_assessments: z.boolean(),
})
export type LearnerJourneyPage = z.infer<typeof LearnerJourneyPage>
