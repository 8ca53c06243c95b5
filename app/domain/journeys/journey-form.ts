import { z } from 'zod'
import { TimeZone } from '#app/domain/tenants/timezone.ts'
import { beginningOf } from '#app/domain/text/beginning.ts'
import { requiredLine } from '#app/domain/text/text.ts'
import { PlanDay, WallTime, WEEKDAYS } from '../hours/wall-time.ts'
import { CHANNELS } from './channel.ts'
import { type Journey, JourneyInput, LATE_JOINERS } from './journey.ts'

const MAX_REMINDERS = 3

export const NewJourneyForm = z.object({
  name: JourneyInput.shape.name,
  category: requiredLine(80),
})

export const JourneyForm = z.object({
  lock_version: z.number().int().min(0),
  name: JourneyInput.shape.name,
  category: requiredLine(80),
  description: z.string().trim().max(2000, 'Please use at most 2,000 characters').default(''),
  start_on: PlanDay.optional().transform((date) => date ?? null),
  timezone_mode: z.enum(['recipient', 'journey']),
  timezone: TimeZone,
  default_send_time: WallTime,
  send_days: z.array(z.enum(WEEKDAYS)).min(1, 'Please choose at least one day'),
  channels: z.array(z.enum(CHANNELS)).min(1, 'Please choose at least one channel'),
  late_joiners: z.enum(LATE_JOINERS),
  grace_days: JourneyInput.shape.grace_days,
  /** Rows without hours are ignored. */
  reminders: z
    .array(
      z.object({
        after_hours: z
          .number('Please enter a number')
          .int()
          .min(1, 'Please enter 1 hour or more')
          .max(720, 'Please enter at most 720 hours')
          .optional(),
        channel: z.enum(CHANNELS).optional(),
      }),
    )
    .max(MAX_REMINDERS)
    .optional(),
})

/** The default name of a copy, within the maximum length of a name. */
export const nameOfCopy = (name: string): string => `${beginningOf(name, 113)} (copy)`

export const DuplicateForm = z.object({
  name: JourneyInput.shape.name,
  lifts: z.boolean().default(false),
  objectives: z.boolean().default(false),
  assessments: z.boolean().default(false),
})

export const AuthorForm = z.object({
  author_id: z.number('Please choose a person').int().positive(),
  lock_version: z.number().int().min(0).optional(),
})

type JourneyForm = z.output<typeof JourneyForm>

/** The change that the form makes; reminders go out by e-mail unless a channel is chosen. */
export function changeOfForm({ reminders, ...form }: JourneyForm) {
  const policy = reminders?.flatMap(({ after_hours, channel = 'email' }) =>
    after_hours === undefined ? [] : [{ after_hours, channel }],
  )
  return { ...form, ...(policy && { reminder_policy: policy }) }
}

/** The fields that decide when and how messages leave. */
export function timingOf(form: JourneyForm) {
  const { start_on, timezone_mode, timezone, default_send_time, send_days, channels } = form
  return { start_on, timezone_mode, timezone, default_send_time, send_days, channels }
}

export function formOfJourney(journey: Journey) {
  const { name, category, description, start_on, timezone_mode, timezone, default_send_time } = journey
  const { send_days, channels, late_joiners, grace_days, lock_version, reminder_policy } = journey
  const reminders = Array.from({ length: MAX_REMINDERS }, (_, row) => ({
    after_hours: reminder_policy[row]?.after_hours,
    channel: reminder_policy[row]?.channel,
  }))
  return {
    ...{ name, category, description, start_on, timezone_mode, timezone, default_send_time },
    ...{ send_days, channels, late_joiners, grace_days, lock_version, reminders },
  }
}
