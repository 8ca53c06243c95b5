import { z } from 'zod'

export const LearnerJourney = z.object({
  id: z.number().int(),
  name: z.string(),
  category: z.string().nullable(),
  status: z.string(),
  completed: z.number().int(),
  total: z.number().int(),
  next_lift: z.object({ id: z.number().int(), title: z.string() }).nullable(),
  /** What comes after what waits already; its time is null while it depends on another lift or a person. */
  coming: z.object({ title: z.string(), due_at: z.string().nullable() }).nullable(),
  /** It is over, or everything in it is done and nothing is to come. */
  is_finished: z.boolean(),
})
export type LearnerJourney = z.infer<typeof LearnerJourney>
export const TodoItem = z.object({
  lift_id: z.number().int(),
  title: z.string(),
  journey: z.object({ id: z.number().int(), name: z.string() }),
  due_at: z.string(),
  closes_at: z.string().nullable(),
  est_minutes: z.number().int(),
  is_started: z.boolean(),
  /** It has waited for more than three days, as sponsors see it too. */
  is_overdue: z.boolean(),
})
export const Todo = z.object({ data: z.array(TodoItem) })
export type Todo = z.infer<typeof Todo>

/** And what waits in them. */
export const LearnerJourneys = z.object({ data: z.array(LearnerJourney), todo: Todo.shape.data })
export type LearnerJourneys = z.infer<typeof LearnerJourneys>
