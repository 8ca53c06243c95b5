/** What a learner has before them. */
import { z } from 'zod'

export const LearnerJourney = z.object({
  id: z.number().int(),
  name: z.string(),
  category: z.string().nullable(),
  status: z.string(),
  completed: z.number().int(),
  total: z.number().int(),
  next_lift: z.object({ id: z.number().int(), title: z.string() }).nullable(),
})
export const LearnerJourneys = z.object({ data: z.array(LearnerJourney) })
export type LearnerJourneys = z.infer<typeof LearnerJourneys>

export const TodoItem = z.object({
  lift_id: z.number().int(),
  title: z.string(),
  journey: z.object({ id: z.number().int(), name: z.string() }),
  due_at: z.string(),
  closes_at: z.string().nullable(),
  est_minutes: z.number().int(),
  is_started: z.boolean(),
})
export const Todo = z.object({ data: z.array(TodoItem) })
export type Todo = z.infer<typeof Todo>
