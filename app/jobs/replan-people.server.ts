/** Plans future lifts again for people whose zone or quiet hours changed, or whose account is active again. */
import { z } from 'zod'
import { markMoved } from '#app/domain/assessments/opening.server.ts'
import { listMissingIn, planMissing } from '#app/domain/planning/runs/plan-missing.server.ts'
import { listMoved, replanMoved } from '#app/domain/planning/runs/replan-moved.server.ts'
import { inScope, type Scope, systemActor } from '#app/domain/scope/scope.server.ts'
import type { JobContext } from './context.ts'

const Payload = z.object({
  tenant_id: z.uuid(),
  user_id: z.number().int().optional(),
  sub_tenant_id: z.uuid().optional(),
  everybody: z.boolean().optional(),
  zones: z.array(z.string()).optional(),
  is_back: z.boolean().optional(),
})

export async function replanPeople(
  { database, log }: Pick<JobContext, 'database' | 'log'>,
  payload: unknown,
): Promise<void> {
  const { tenant_id, is_back, ...whose } = Payload.parse(payload)
  const { user_id } = whose
  const inTenant = <Result>(work: (scope: Scope) => Promise<Result>) =>
    inScope(database, systemActor(tenant_id), work)
  const isBack = is_back && user_id !== undefined
  const journeys = await inTenant(async (scope) => {
    if (isBack) return listMissingIn(scope, user_id)
    await markMoved(scope, user_id)
    return listMoved(scope, whose)
  })
  let people = 0
  for (const id of journeys)
    people += await inTenant((scope) =>
      isBack ? planMissing(scope, user_id, id) : replanMoved(scope, whose, id),
    )
  if (people > 0) log.info({ event: 'people.replanned', people })
}
