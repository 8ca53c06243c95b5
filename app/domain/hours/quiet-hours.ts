/** Quiet hours: no messages go out then, by the recipient's clock. */
import { z } from 'zod'
import { WallTime } from './wall-time.ts'

const NO_TIME = 'Please enter a time'
const Time = z.string({ error: NO_TIME }).regex(/^([01]\d|2[0-3]):[0-5]\d$/, {
  error: ({ input }) => (input === '' ? NO_TIME : 'Please enter the time as HH:MM, on a 24-hour clock'),
  abort: true,
})

/** The shortest quiet hours that a tenant can set. */
const LATEST_EVENING = '21:00'
const EARLIEST_MORNING = '08:00'
const NOON = '12:00'

/** The setting of a tenant or sub-tenant. */
export const QuietHours = z
  .strictObject({
    from: Time.refine(
      (time) => time >= NOON && time <= LATEST_EVENING,
      'Please choose a time from 12:00 PM to 9:00 PM',
    ),
    to: Time.refine(
      (time) => time >= EARLIEST_MORNING && time <= NOON,
      'Please choose a time from 8:00 AM to 12:00 PM',
    ),
  })
  .refine(({ from, to }) => from > to, {
    path: ['to'],
    error: 'Please leave some time in which messages may reach people',
  })
export type QuietHours = z.infer<typeof QuietHours>
export const QUIET_HOURS: QuietHours = { from: '20:00', to: '09:00' }
/** For an unknown time zone: the tenant's late morning to early evening is safe. */
export const QUIET_HOURS_UNKNOWN_ZONE: QuietHours = { from: '19:00', to: '11:00' }

const Settings = z.object({ quiet_hours: z.object({ from: WallTime, to: WallTime }) })

const earlier = (one: string, other: string) => (one < other ? one : other)
const later = (one: string, other: string) => (one > other ? one : other)

export function quietHoursOf(settings: unknown, isZoneKnown: boolean): QuietHours {
  const usual = isZoneKnown ? QUIET_HOURS : QUIET_HOURS_UNKNOWN_ZONE
  const own = Settings.safeParse(settings).data?.quiet_hours
  // Hours that do not span midnight are taken for a mistake.
  if (!own || own.from <= own.to) return usual
  if (isZoneKnown) return { from: earlier(own.from, LATEST_EVENING), to: later(own.to, EARLIEST_MORNING) }
  return { from: earlier(own.from, usual.from), to: later(own.to, usual.to) }
}

/** The settings in force for a journey: a sub-tenant can have longer quiet hours than its tenant, not shorter. */
export function settingsInForce(tenant: unknown, subTenant: unknown): unknown {
  if (!Settings.safeParse(subTenant).success) return tenant
  const [whole, own] = [quietHoursOf(tenant, true), quietHoursOf(subTenant, true)]
  const both = { from: earlier(whole.from, own.from), to: later(whole.to, own.to) }
  // If both quiet hours together leave no time for messages, only the company's apply.
  return both.from > both.to ? { ...(tenant as object), quiet_hours: both } : tenant
}
