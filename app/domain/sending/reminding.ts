/** Reminding by hand those who have not answered a lift: whom it reaches, when, and whom not. */
import { z } from 'zod'

const people = z.number().int()

export const ReminderForesight = z.object({
  /** Who was sent the lift and has not answered; each is in exactly one of the next five. */
  people,
  now: people,
  morning: people,
  tomorrow: people,
  reminded: people,
  closed: people,
  /** Not among `people`: the lift has not reached them, because its message still waits, or what became of it. */
  not_sent: people,
  unknown: people,
  suppressed: people,
  failed: people,
  expired: people,
})
export type ReminderForesight = z.infer<typeof ReminderForesight>

export const Reminded = z.object({ planned: people, now: people, later: people })
export type Reminded = z.infer<typeof Reminded>

/** A lift that was sent, and how many of those who got it have not answered. */
export const UnansweredLift = z.object({
  id: z.number().int(),
  title: z.string(),
  journey: z.object({ id: z.number().int(), name: z.string() }),
  sent: people,
  unanswered: people,
})
export const UnansweredLifts = z.object({ data: z.array(UnansweredLift) })
export type UnansweredLifts = z.infer<typeof UnansweredLifts>
