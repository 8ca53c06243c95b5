/** Plans the occurrences of many people, some at a time. Begun anew after a crash, it goes on where it was. */
import { z } from 'zod'
import { continuePlan, queuePlan } from '#app/domain/planning/runs/plan-runs.server.ts'
import { inScope, systemActor } from '#app/domain/scope/scope.server.ts'
import type { JobContext } from './context.ts'

const Payload = z.object({ tenant_id: z.uuid(), plan_id: z.number().int() })
/** Then it stands behind the others in the queue again, so that they, and the end of the process, need not wait. */
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
