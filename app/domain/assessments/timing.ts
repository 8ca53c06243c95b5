/** When a form opens and closes on its rater's clock, by the rules of the planner. */

import { WEEKDAYS } from '../hours/wall-time.ts'
import type { Journey } from '../journeys/journey.ts'
import type { PlanInput } from '../planning/plan-input.ts'
import { planLift } from '../planning/planner.ts'
import type { AssessmentRule } from './assessment.ts'

export type Timing = {
  opens: AssessmentRule
  closes: AssessmentRule | null
  journey: Pick<Journey, 'start_on' | 'timezone_mode' | 'timezone' | 'default_send_time' | 'send_days'> & {
    launched_at: Date
  }
  tenant_zone: string
  settings: unknown
}

/** The rater's time zone, null if unknown, and when the assessed learner joined. */
type Whose = { zone: string | null; joined_at: Date }

const NEVER_QUIET = { from: '00:00', to: '00:00' }

/** It opens outside quiet hours, when its rater may be notified; its end is exact to the minute. */
export function momentsOf(timing: Timing, { zone, joined_at }: Whose) {
  const { opens, closes, journey, tenant_zone, settings } = timing
  const shared: Omit<PlanInput, 'rule'> = {
    closes_after_hours: null,
    journey,
    member: { id: 0, zone, joined_at },
    ...{ tenant_zone, settings },
    channel: 'in_app',
    now: joined_at,
  }
  const end: Omit<PlanInput, 'rule'> = {
    ...shared,
    journey: { ...journey, send_days: WEEKDAYS },
    quiet_hours: NEVER_QUIET,
  }
  return {
    opens_at: planLift({ ...shared, rule: opens }).due_at,
    closes_at: closes && planLift({ ...end, rule: closes }).due_at,
  }
}
