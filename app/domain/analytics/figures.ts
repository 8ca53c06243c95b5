/** The answers of the analytics calls. Every rate has a numerator n and a denominator d; with d = 0 it is shown as "-". */
import { z } from 'zod'
import { PROMPT_KINDS, VISIBILITIES } from '../lifts/prompt.ts'
import { Pagination } from '../page.ts'

export const Rate = z.object({ n: z.number().int(), d: z.number().int() })
export type Rate = z.infer<typeof Rate>

/** `assigned` is the sum of `accepted`, `unknown` (delivery in doubt), `suppressed`, `failed`, `expired` and `pending`. */
export const Counts = z.object({
  assigned: z.number().int(),
  accepted: z.number().int(),
  unknown: z.number().int(),
  suppressed: z.number().int(),
  failed: z.number().int(),
  expired: z.number().int(),
  pending: z.number().int(),
  delivered: z.number().int(),
  opened: z.number().int(),
  /** Occurrences whose lift has a question: only they can be answered. */
  asked: z.number().int(),
  responded: z.number().int(),
  completed: z.number().int(),
})
export type Counts = z.infer<typeof Counts>

export const Figures = z.object({
  counts: Counts,
  coverage: Rate,
  delivery: Rate,
  open: Rate,
  response: Rate,
  completion: Rate,
})
export type Figures = z.infer<typeof Figures>

export type Counted = Counts & { opened_and_delivered: number }

export function figuresOf({ opened_and_delivered, ...counts }: Counted): Figures {
  return {
    counts,
    coverage: { n: counts.accepted, d: counts.assigned },
    delivery: { n: counts.delivered, d: counts.accepted },
    open: { n: opened_and_delivered, d: counts.delivered },
    response: { n: counts.responded, d: counts.asked },
    completion: { n: counts.completed, d: counts.assigned },
  }
}

export const Overview = Figures.extend({
  as_of: z.string(),
  learners: z.number().int(),
  journeys: z.number().int(),
  lifts: z.number().int(),
  why_empty: z.string().nullable(),
  /** Whether the filters exclude each other, such as a lift of another journey; no further figures are read then. */
  is_contradictory: z.boolean(),
  /** For an objective: the number of assessment items that measure it; they are not in these figures. */
  assessment_items: z.number().int().nullable(),
})
export type Overview = z.infer<typeof Overview>

export const UserFigures = Figures.extend({
  user_id: z.number().int(),
  name: z.string(),
  last_activity: z.string().nullable(),
})
export const ByUser = z.object({ as_of: z.string(), data: z.array(UserFigures), pagination: Pagination })
export type ByUser = z.infer<typeof ByUser>

export const PromptFigures = z.object({
  prompt_id: z.number().int(),
  text: z.string(),
  kind: z.enum(PROMPT_KINDS),
  visibility: z.enum(VISIBILITIES),
  response: Rate,
  /** The number of answers in the counts and the mean: anonymous answers are counted in whole groups only. */
  counted: z.number().int(),
  options: z.array(
    z.object({
      id: z.string(),
      text: z.string(),
      correct: z.boolean().nullable(),
      count: z.number().int(),
      /** For a ranking: the mean place, 1 being the first; `count` is how often it was first. */
      mean_rank: z.number().nullable(),
    }),
  ),
  mean: z.number().nullable(),
  /** Mean points of the scored answers that administrators may read. */
  score: z.object({ n: z.number().int(), mean: z.number(), max_score: z.number() }).nullable(),
})
export type PromptFigures = z.infer<typeof PromptFigures>

export const LiftFigures = Figures.extend({
  lift_id: z.number().int(),
  title: z.string(),
  journey_id: z.number().int(),
  journey: z.string(),
})
export const ByLift = z.object({
  as_of: z.string(),
  data: z.array(LiftFigures),
  pagination: Pagination,
  prompts: z.array(PromptFigures),
})
export type ByLift = z.infer<typeof ByLift>
