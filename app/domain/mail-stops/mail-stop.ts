/** Which of the mails that go on by themselves somebody does not want: those of a journey, or all. */
import { z } from 'zod'

export const STOPPED = ['none', 'journey', 'all'] as const
export type Stopped = (typeof STOPPED)[number]

/** As the page shows it that a mail leads to. */
export const MailStop = z.object({
  company: z.string(),
  journey: z.string(),
  stopped: z.enum(STOPPED),
})
export type MailStop = z.infer<typeof MailStop>
export const MailStopInput = z.object({ stop: z.enum(STOPPED), one_click: z.boolean().default(false) })

export const OwnMailStops = z.object({
  all: z.boolean(),
  journeys: z.array(z.object({ id: z.number().int(), name: z.string() })),
})
export type OwnMailStops = z.infer<typeof OwnMailStops>
/** What stays stopped. */
export const OwnMailStopsInput = z.object({
  all: z.boolean(),
  journey_ids: z.array(z.number().int().positive()).max(1000),
})

export const AddressState = z.object({
  email: z.string(),
  stopped: z.object({ why: z.enum(['bounced', 'complained']), since: z.string() }).nullable(),
})
export type AddressState = z.infer<typeof AddressState>
