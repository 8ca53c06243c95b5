/** Resets the testing tenant to the demo's initial data, once its clock has stopped. */
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { inScope, systemActor } from '#app/domain/scope/scope.server.ts'
import { dropJobs, isMoving } from '#app/domain/testing/start-again.server.ts'
import type { JobContext } from './context.ts'

const Payload = z.object({ tenant_id: z.uuid(), by: z.number().int().nullable() })
const PATIENCE_MS = 30_000
const LOOK_AGAIN_MS = 200

export async function startTestingAgain(context: JobContext, payload: unknown): Promise<void> {
  const { tenant_id, by } = Payload.parse(payload)
  const { database, seedTesting } = context
  if (!seedTesting) throw new Error('There is no demo to begin again with.')
  const until = Date.now() + PATIENCE_MS
  while (Date.now() < until && (await inScope(database, systemActor(tenant_id), isMoving)))
    await sleep(LOOK_AGAIN_MS)
  await inScope(database, systemActor(tenant_id), dropJobs)
  await seedTesting(tenant_id, by)
}
