/** A person's choice of notifications, and their consents. */
import { z } from 'zod'
import { CONSENT_ACTIONS } from '../consent/consent.ts'

export const MUTABLE_TYPES = ['launch', 'success', 'info', 'brief'] as const

export const NotificationPreferences = z.object({
  muted: z.array(z.enum(MUTABLE_TYPES)).max(MUTABLE_TYPES.length),
  /** An e-mail on Mondays about the week of one's journeys; for administrators and authors. */
  weekly_summary: z.boolean(),
})
export type NotificationPreferences = z.infer<typeof NotificationPreferences>
export const NotificationPreferencesInput = NotificationPreferences.partial({ weekly_summary: true })
export type NotificationPreferencesInput = z.infer<typeof NotificationPreferencesInput>

export const Consents = z.object({
  number: z.string().nullable(),
  sms_opt_in: z.boolean(),
  wording: z.object({ id: z.string(), text: z.string() }),
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
