/** What a learner promised to do, until it is done or let go. */
import { z } from 'zod'

export const COMMITMENT_STATES = ['open', 'done', 'dropped'] as const

export const Commitment = z.object({
  id: z.number().int(),
  journey: z.object({ id: z.number().int(), name: z.string() }),
  lift_id: z.number().int(),
  prompt_id: z.number().int(),
  what: z.string(),
  by_on: z.string(),
  state: z.enum(COMMITMENT_STATES),
  is_late: z.boolean(),
  acknowledged_at: z.string().nullable(),
})
export type Commitment = z.infer<typeof Commitment>
export const Commitments = z.object({ data: z.array(Commitment) })
export type Commitments = z.infer<typeof Commitments>

export const CommitmentChange = z.strictObject({ state: z.enum(COMMITMENT_STATES) })
export type CommitmentChange = z.infer<typeof CommitmentChange>
