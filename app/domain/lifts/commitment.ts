/** A learner's commitment, until it is done or dropped. */
import { z } from 'zod'

export const COMMITMENT_STATES = ['open', 'done', 'dropped'] as const

/** Made or changed (`open`), done, or dropped; oldest first. */
export const CommitmentEvent = z.object({
  state: z.enum(COMMITMENT_STATES),
  what: z.string(),
  by_on: z.string(),
  at: z.string(),
})
export type CommitmentEvent = z.infer<typeof CommitmentEvent>

export const CommitmentQuery = z.strictObject({
  settled: z.stringbool().default(false),
  with_settled: z.stringbool().default(false),
})
export type CommitmentQuery = z.infer<typeof CommitmentQuery>

export const Commitment = z.object({
  id: z.number().int(),
  journey: z.object({ id: z.number().int(), name: z.string() }),
  lift_id: z.number().int(),
  prompt_id: z.number().int(),
  what: z.string(),
  by_on: z.string(),
  state: z.enum(COMMITMENT_STATES),
  is_late: z.boolean(),
  /** Whether its lift can still be answered. */
  is_answerable: z.boolean(),
  acknowledged_at: z.string().nullable(),
  history: z.array(CommitmentEvent),
})
export type Commitment = z.infer<typeof Commitment>
export const Commitments = z.object({ data: z.array(Commitment) })
export type Commitments = z.infer<typeof Commitments>

export const CommitmentChange = z.strictObject({ state: z.enum(COMMITMENT_STATES) })
export type CommitmentChange = z.infer<typeof CommitmentChange>
