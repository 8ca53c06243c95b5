import { z } from 'zod'
import { Timeline } from '#app/domain/running/timeline.ts'

/** The timeline with only the fields that the cards show. */
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
