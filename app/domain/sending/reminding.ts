/** Manual reminders about a lift: who gets one, when, and who does not. */
import { z } from 'zod'

const people = z.number().int()

export const ReminderForesight = z.object({
  /** Learners who were sent the lift and have not answered; each is in exactly one of the next five. */
  people,
  now: people,
  morning: people,
  tomorrow: people,
  reminded: people,
  closed: people,
  /** Not among `people`: the lift has not reached them, because its message is still waiting, or by its delivery state. */
  not_sent: people,
  unknown: people,
  suppressed: people,
  failed: people,
  expired: people,
})
export type ReminderForesight = z.infer<typeof ReminderForesight>

export const Reminded = z.object({ planned: people, now: people, later: people })
export type Reminded = z.infer<typeof Reminded>

/** A sent lift, with the number of its learners who have not answered. */
export const UnansweredLift = z.object({
  id: z.number().int(),
  title: z.string(),
  journey: z.object({ id: z.number().int(), name: z.string() }),
  sent: people,
  unanswered: people,
})
export const UnansweredLifts = z.object({ data: z.array(UnansweredLift) })
export type UnansweredLifts = z.infer<typeof UnansweredLifts>
