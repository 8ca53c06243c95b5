/** What a person wants to be told, and what they agreed to. */
import { z } from 'zod'
import { CONSENT_ACTIONS } from '../consent/consent.ts'

/** Warnings are told to everybody. */
export const MUTABLE_TYPES = ['launch', 'success', 'info', 'brief'] as const

export const NotificationPreferences = z.object({
  /** The types of notifications the person does not want. */
  muted: z.array(z.enum(MUTABLE_TYPES)).max(MUTABLE_TYPES.length),
  /** An e-mail on Mondays about the week of one's journeys; for administrators and authors. */
  weekly_summary: z.boolean(),
})
export type NotificationPreferences = z.infer<typeof NotificationPreferences>
/** What is left out stays. */
export const NotificationPreferencesInput = NotificationPreferences.partial({ weekly_summary: true })
export type NotificationPreferencesInput = z.infer<typeof NotificationPreferencesInput>

export const Consents = z.object({
  number: z.string().nullable(),
  sms_opt_in: z.boolean(),
  /** What is agreed to by opting in now. */
  wording: z.object({ id: z.string(), text: z.string() }),
  /** What was said about the person's numbers, the latest first. */
  events: z.array(
    z.object({
      number: z.string(),
      action: z.enum(CONSENT_ACTIONS),
      source: z.string(),
      wording_id: z.string().nullable(),
      at: z.string(),
    }),
  ),
})
export type Consents = z.infer<typeof Consents>

export const ConsentsInput = z.object({ sms_opt_in: z.boolean() })
