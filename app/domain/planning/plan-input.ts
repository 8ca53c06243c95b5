import type { QuietHours } from '../hours/quiet-hours.ts'
import type { Channel } from '../journeys/channel.ts'
import type { ScheduleRule } from '../lifts/schedule-rule.ts'
import type { Pause } from './pauses.ts'

export type PlanInput = {
  rule: ScheduleRule
  closes_after_hours: number | null
  journey: {
    start_on: string | null
    launched_at: Date
    /** Lifts sent with the launch left at once, not at the usual time. */
    launched_now?: boolean
    timezone_mode: 'recipient' | 'journey'
    timezone: string
    default_send_time: string
    send_days: readonly string[]
  }
  /** `zone`: the person's own or their sub-tenant's; null if unknown. */
  member: { id: number; zone: string | null; joined_at: Date }
  tenant_zone: string
  channel: Channel
  /** Ended pauses, in order. */
  pauses?: readonly Pause[]
  /** When the date that the rule counts from was set: earlier pauses do not shift it. */
  stated_on?: Date | null
  /** When this person completed the lift that the rule waits for. */
  awaited_at?: Date | null
  send_now?: boolean
  /** Its own time is past: it comes at the next allowed hour, like any lift planned by a rule. */
  next_open?: boolean
  quiet_hours?: QuietHours
  /** The tenant's settings, with its quiet hours. */
  settings?: unknown
  now: Date
}
