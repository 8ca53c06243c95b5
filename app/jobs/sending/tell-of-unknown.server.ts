import { z } from 'zod'
import { inScope, systemActor } from '#app/domain/scope/scope.server.ts'
import { tellOfUnknown as tell } from '#app/domain/unknown-messages/telling.server.ts'
import type { JobContext } from '#app/jobs/context.ts'

const Payload = z.object({ tenant_id: z.uuid() })

/** Tells the people responsible for journeys that messages wait for their decision. */
export async function tellOfUnknown({ database }: JobContext, payload: unknown): Promise<void> {
  const { tenant_id } = Payload.parse(payload)
  await inScope(database, systemActor(tenant_id), tell)
}
