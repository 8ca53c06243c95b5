/** Sends a saved lift to one phone as a test, which no figure counts. */
import { z } from 'zod'
import { inScope, systemActor } from '#app/domain/scope/scope.server.ts'
import { composeTest } from '#app/domain/sending/test-messages.server.ts'
import type { JobContext } from '#app/jobs/context.ts'
import { sendOnce } from './send-once.server.ts'
import { isStillTheirs, QueuedOn } from './still-theirs.server.ts'

const Payload = z.object({
  tenant_id: z.uuid(),
  lift_id: z.number().int(),
  phone: z.string(),
  key: z.string(),
  queued_on: QueuedOn,
})

export async function sendTest(context: JobContext, payload: unknown): Promise<void> {
  const { database, origin } = context
  const { tenant_id, lift_id, phone, key, queued_on } = Payload.parse(payload)
  if (!(await isStillTheirs(database, { tenant_id, address: phone, queued_on }))) return
  const message = await inScope(database, systemActor(tenant_id), (scope) =>
    composeTest(scope, lift_id, { to: phone, key: `${tenant_id}:${key}`, origin }),
  )
  if (message) await sendOnce(context, message)
}
