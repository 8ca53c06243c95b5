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
    /** What went out with the launch left at once, not at the usual time. */
    launched_now?: boolean
    timezone_mode: 'recipient' | 'journey'
    timezone: string
    default_send_time: string
    send_days: readonly string[]
  }
  /** `zone` is the person's own or their sub-tenant's; null when nobody knows it. */
  member: { id: number; zone: string | null; joined_at: Date }
  tenant_zone: string
  channel: Channel
  /** Pauses that have ended, in their order. */
  pauses?: readonly Pause[]
  /** When the date was named that the rule counts from: earlier pauses do not move it. */
  stated_on?: Date | null
  /** When the lift this rule waits for was completed by this person. */
  awaited_at?: Date | null
  send_now?: boolean
  /** Its own time is past: it comes in the next open hour, as any other that a rule made. */
  next_open?: boolean
  quiet_hours?: QuietHours
  /** The tenant's settings, for its own quiet hours. */
  settings?: unknown
  now: Date
}
