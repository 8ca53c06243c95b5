/** Hands over what a sponsor wrote to a learner, when it is day there. */
import { z } from 'zod'
import { addJob } from '#app/db/queue.server.ts'
import { inScope, systemActor } from '#app/domain/scope.server.ts'
import { composeEncouragement } from '#app/domain/sponsors/delivering.server.ts'
import type { JobContext } from './context.ts'
import { sendOfJourney } from './sending/send-once.server.ts'

const Payload = z.object({ tenant_id: z.uuid(), encouragement_id: z.number().int() })

export async function sendEncouragement(context: JobContext, payload: unknown): Promise<void> {
  const { database, origin, stopLink } = context
  const { tenant_id, encouragement_id } = Payload.parse(payload)
  const delivery = await inScope(database, systemActor(tenant_id), async (scope) => {
    const composed = await composeEncouragement(scope, encouragement_id, { origin, stopLink })
    if (composed && 'wait' in composed)
      await addJob(scope.db, 'send-encouragement', { tenant_id, encouragement_id }, { run_at: composed.wait })
    return composed
  })
  if (!delivery || 'wait' in delivery) return
  await sendOfJourney(
    context,
    { tenant_id, key: `${tenant_id}:encouragement:${encouragement_id}`, ...delivery },
    { name: 'send-encouragement', payload: { tenant_id, encouragement_id } },
  )
}
