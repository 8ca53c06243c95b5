/** The automatic mails that somebody has unsubscribed from: those of a journey, the Monday mails, or all. */
import { z } from 'zod'

export const STOPPED = ['none', 'these', 'all'] as const
export type Stopped = (typeof STOPPED)[number]

/** The Monday mails: a sponsor's brief about learners who need attention, and the weekly summary of journeys. */
export const MONDAY_MAILS = ['brief', 'summary'] as const
export type MondayMail = (typeof MONDAY_MAILS)[number]

export const MailStop = z.object({
  company: z.string(),
  about: z.enum(['journey', ...MONDAY_MAILS]),
  journey: z.string().nullable(),
  stopped: z.enum(STOPPED),
})
export type MailStop = z.infer<typeof MailStop>
export const MailStopInput = z.object({ stop: z.enum(STOPPED), one_click: z.boolean().default(false) })

export const OwnMailStops = z.object({
  all: z.boolean(),
  journeys: z.array(z.object({ id: z.number().int(), name: z.string() })),
})
export type OwnMailStops = z.infer<typeof OwnMailStops>
export const OwnMailStopsInput = z.object({
  all: z.boolean(),
  journey_ids: z.array(z.number().int().positive()).max(1000),
})

export const AddressState = z.object({
  email: z.string(),
  stopped: z.object({ why: z.enum(['bounced', 'complained']), since: z.string() }).nullable(),
})
export type AddressState = z.infer<typeof AddressState>
