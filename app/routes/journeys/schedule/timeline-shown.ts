import { z } from 'zod'
import { Timeline } from '#app/domain/running/timeline.ts'

/** Of each lift what its card says. */
export const TimelineShown = Timeline.extend({
  lifts: z.array(
    Timeline.shape.lifts.element.pick({
      id: true,
      title: true,
      schedule: true,
      est_minutes: true,
      status: true,
      prompts: true,
      counts: true,
      held: true,
      unknown_messages: true,
    }),
  ),
})
export type TimelineShown = z.infer<typeof TimelineShown>
