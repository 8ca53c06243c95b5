/** Plans future lifts again for people whose zone or quiet hours changed, or whose account is active again. */
import { z } from 'zod'
import { markMoved } from '#app/domain/assessments/opening.server.ts'
import { planMissing } from '#app/domain/planning/runs/plan-missing.server.ts'
import { replanMoved } from '#app/domain/planning/runs/replan-moved.server.ts'
import { inScope, systemActor } from '#app/domain/scope/scope.server.ts'
import type { JobContext } from './context.ts'

const Payload = z.object({
  tenant_id: z.uuid(),
  user_id: z.number().int().optional(),
  sub_tenant_id: z.uuid().optional(),
  everybody: z.boolean().optional(),
  zones: z.array(z.string()).optional(),
  is_back: z.boolean().optional(),
})

export async function replanPeople({ database, log }: JobContext, payload: unknown): Promise<void> {
  const { tenant_id, everybody = false, is_back, ...whose } = Payload.parse(payload)
  const people = await inScope(database, systemActor(tenant_id), async (scope) => {
    if (is_back && whose.user_id !== undefined) return planMissing(scope, whose.user_id)
    await markMoved(scope, whose.user_id)
    return replanMoved(scope, { ...whose, everybody })
  })
  if (people > 0) log.info({ event: 'people.replanned', people })
}
