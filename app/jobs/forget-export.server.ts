/** Deletes an exported file after its time. */
import { z } from 'zod'
import { forgetExport as forget } from '#app/domain/exports/making.server.ts'
import { inScope, systemActor } from '#app/domain/scope/scope.server.ts'
import type { JobContext } from './context.ts'

const Payload = z.object({ tenant_id: z.uuid(), export_id: z.uuid() })

export async function forgetExport(
  { database }: Pick<JobContext, 'database'>,
  payload: unknown,
): Promise<void> {
  const { tenant_id, export_id } = Payload.parse(payload)
  await inScope(database, systemActor(tenant_id), (scope) => forget(scope, export_id))
}
