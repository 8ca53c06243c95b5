/** Sends a sponsor's words to a learner, in the daytime of the learner's zone. */
import { z } from 'zod'
import { composeEncouragement } from '#app/domain/sponsors/delivering.server.ts'
import type { JobContext } from './context.ts'
import { sendOfJourney } from './sending/send-once.server.ts'

const Payload = z.object({ tenant_id: z.uuid(), encouragement_id: z.number().int() })

export async function sendEncouragement(context: JobContext, payload: unknown): Promise<void> {
  const { tenant_id, encouragement_id } = Payload.parse(payload)
  await sendOfJourney(
    context,
    { name: 'send-encouragement', payload: { tenant_id, encouragement_id } },
    {
      key: `encouragement:${encouragement_id}`,
      compose: (scope, links) => composeEncouragement(scope, encouragement_id, links),
    },
  )
}
