/** The rule of the next lift of a journey, by that of its last one. */

import { ScheduleRule } from '../lifts/schedule-rule.ts'
import type { Scope } from '../scope/scope.server.ts'
import { nextRule } from './next-rule.ts'

export async function nextRuleOf({ db }: Scope, journeyId: number): Promise<ScheduleRule> {
  const last = await db
    .selectFrom('lifts')
    .select('schedule')
    .where('journey_id', '=', journeyId)
    .where('status', '!=', 'retired')
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst()
  return nextRule(last ? ScheduleRule.parse(last.schedule) : null)
}
