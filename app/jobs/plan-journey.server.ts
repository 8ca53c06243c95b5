/** Plans the occurrences of many people in batches. After a crash it continues where it was. */
import { z } from 'zod'
import { continuePlan, queuePlan } from '#app/domain/planning/runs/plan-runs.server.ts'
import { inScope, systemActor } from '#app/domain/scope/scope.server.ts'
import type { JobContext } from './context.ts'

const Payload = z.object({ tenant_id: z.uuid(), plan_id: z.number().int() })
/** Then the job goes to the end of the queue, so that other jobs, and a shutdown, need not wait for it. */
const AT_A_STRETCH_MS = 2000

export async function planJourney(
  { database }: Pick<JobContext, 'database'>,
  payload: unknown,
): Promise<void> {
  const { tenant_id, plan_id } = Payload.parse(payload)
  const system = systemActor(tenant_id)
  const end = Date.now() + AT_A_STRETCH_MS
  while (await inScope(database, system, (scope) => continuePlan(scope, plan_id)))
    if (Date.now() > end) return inScope(database, system, (scope) => queuePlan(scope, plan_id))
}
