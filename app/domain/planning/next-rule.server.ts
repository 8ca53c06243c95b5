/** The default rule of a journey's next lift, derived from the rule of its last one. */

import { ScheduleRule } from '../lifts/schedule-rule.ts'
import { todayIn } from '../scope/clock.server.ts'
import type { Scope } from '../scope/scope.server.ts'
import { nextRule } from './next-rule.ts'
import { EASTERNMOST } from './past-lifts.server.ts'

type Started = { start_on: string | null }

export async function nextRuleOf(scope: Scope, journey: Started & { id: number }): Promise<ScheduleRule> {
  const last = await scope.db
    .selectFrom('lifts')
    .select('schedule')
    .where('journey_id', '=', journey.id)
    .where('status', '!=', 'retired')
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst()
  return nextRuleAfter(scope, last?.schedule ?? null, journey)
}

/** By the easternmost time zone, where every day begins first: so the day is past for nobody. */
export const nextRuleAfter = (scope: Scope, last: unknown, { start_on }: Started): ScheduleRule =>
  nextRule(last === null ? null : ScheduleRule.parse(last), todayIn(scope, EASTERNMOST), start_on)
