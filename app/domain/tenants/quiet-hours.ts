/** The hours of rest that a tenant, or a sub-tenant, may settle. */
import { z } from 'zod'

const NO_TIME = 'Please enter a time'
const Time = z.string({ error: NO_TIME }).regex(/^([01]\d|2[0-3]):[0-5]\d$/, {
  error: ({ input }) => (input === '' ? NO_TIME : 'Please enter the time as HH:MM, on a 24-hour clock'),
  abort: true,
})

/** When messages rest, where their recipients are: at least from 21:00 to 08:00, and never through the day. */
export const QuietHours = z
  .strictObject({
    from: Time.refine(
      (time) => time >= '12:00' && time <= '21:00',
      'Please choose a time from 12:00 PM to 9:00 PM',
    ),
    to: Time.refine(
      (time) => time >= '08:00' && time <= '12:00',
      'Please choose a time from 8:00 AM to 12:00 PM',
    ),
  })
  .refine(({ from, to }) => from > to, {
    path: ['to'],
    error: 'Please leave some time in which messages may reach people',
  })
export type QuietHours = z.infer<typeof QuietHours>
export const USUAL_QUIET_HOURS: QuietHours = { from: '20:00', to: '09:00' }
