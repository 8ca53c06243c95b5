/** The schedule of a journey as its authors see it. */
import { z } from 'zod'
import { Lift } from '../lifts/lift.ts'
import { Journey, LaunchProblem } from './journey.ts'

export const LiftCounts = z.object({
  assigned: z.number().int(),
  accepted: z.number().int(),
  opened: z.number().int(),
  responded: z.number().int(),
  completed: z.number().int(),
  first_due_at: z.string().nullable(),
})

export const Timeline = z.object({
  journey: Journey,
  lifts: z.array(Lift.extend({ counts: LiftCounts })),
  learners: z.number().int(),
  /** What stands in the way of a launch; lifts whose time is past only ask for a decision. */
  problems: z.array(LaunchProblem),
  past_lifts: z.array(z.object({ id: z.number().int(), title: z.string() })),
})
export type Timeline = z.infer<typeof Timeline>
