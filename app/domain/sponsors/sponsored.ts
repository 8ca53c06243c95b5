/** What sponsors see of their own learners, and the messages that they send them. */
import { z } from 'zod'
import { Commitment } from '../lifts/commitment.ts'
import { Pagination, pageQuery } from '../page.ts'
import { AnsweredLift } from '../responses/response.ts'
import { REQUIRED } from '../text/text.ts'

export const MAX_LETTERS = 300

export const SponsoredJourney = z.object({
  id: z.number().int(),
  name: z.string(),
  status: z.string(),
  learners: z.number().int(),
  overdue: z.number().int(),
  to_acknowledge: z.number().int(),
})
export type SponsoredJourney = z.infer<typeof SponsoredJourney>
export const SponsoredJourneys = z.object({ data: z.array(SponsoredJourney) })
export type SponsoredJourneys = z.infer<typeof SponsoredJourneys>

export const SponsoredLearner = z.object({
  user_id: z.number().int(),
  name: z.string(),
  completed: z.number().int(),
  /** Counts of the lifts that have come so far. */
  come: z.number().int(),
  overdue: z.number().int(),
  last_activity: z.string().nullable(),
  open_commitments: z.number().int(),
  /** Commitments that are open on or after their day. */
  late_commitments: z.number().int(),
  to_acknowledge: z.number().int(),
  to_score: z.number().int(),
  encouraged_today: z.boolean(),
})
export type SponsoredLearner = z.infer<typeof SponsoredLearner>

const journey = z.object({ id: z.number().int(), name: z.string(), status: z.string() })

export const SponsorsJourney = z.object({
  journey,
  data: z.array(SponsoredLearner),
  pagination: Pagination,
})
export type SponsorsJourney = z.infer<typeof SponsorsJourney>

export const SponsoredQuery = pageQuery(['name']).omit({ order_by: true, order: true })
export type SponsoredQuery = z.infer<typeof SponsoredQuery>

export const LearnerForSponsor = z.object({
  journey,
  learner: SponsoredLearner,
  commitments: z.array(Commitment),
  data: z.array(AnsweredLift),
  pagination: Pagination,
})
export type LearnerForSponsor = z.infer<typeof LearnerForSponsor>

const hasLink = (text: string) => /:\/\/|www\.|\b[\w-]+\.[a-z]{2,}(\/|\s|$)/i.test(text)

export const EncouragementInput = z.strictObject({
  user_id: z.number().int().positive(),
  text: z
    .string({ error: REQUIRED })
    .overwrite((text) => text.replace(/\s*[\r\n]+\s*/g, ' '))
    .trim()
    .min(1, REQUIRED)
    .max(MAX_LETTERS, `Please use at most ${MAX_LETTERS} characters`)
    .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'Please leave out control characters')
    .refine((text) => !hasLink(text), 'Please leave out links'),
})
export type EncouragementInput = z.infer<typeof EncouragementInput>

export const Encouragement = z.object({ id: z.number().int(), user_id: z.number().int(), text: z.string() })
export type Encouragement = z.infer<typeof Encouragement>

/** Suggestions for sponsors who do not know how to begin. */
export const SUGGESTED_WORDS = [
  'Well done so far. What will you try next?',
  'Good to see you making time for this. Keep going.',
  'A small step this week is enough. Tell me if I can help.',
] as const

/** How much of a commitment's history somebody has seen. */
export const SeenHistory = z.object({ seen: z.coerce.number().int().min(0).optional() })
