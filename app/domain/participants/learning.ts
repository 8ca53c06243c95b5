import { z } from 'zod'

export const LearnerJourney = z.object({
  id: z.number().int(),
  name: z.string(),
  category: z.string().nullable(),
  status: z.string(),
  completed: z.number().int(),
  total: z.number().int(),
  next_lift: z.object({ id: z.number().int(), title: z.string() }).nullable(),
  /** The next coming lift; its time is null while it depends on another lift or a person. */
  coming: z.object({ title: z.string(), due_at: z.string().nullable() }).nullable(),
  /** The journey is over, or all of its lifts are done and none is to come. */
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
  /** Waiting for more than three days; sponsors see the same. */
  is_overdue: z.boolean(),
})
export const Todo = z.object({ data: z.array(TodoItem) })
export type Todo = z.infer<typeof Todo>

/** The journeys, and the waiting lifts in them. */
export const LearnerJourneys = z.object({ data: z.array(LearnerJourney), todo: Todo.shape.data })
export type LearnerJourneys = z.infer<typeof LearnerJourneys>
