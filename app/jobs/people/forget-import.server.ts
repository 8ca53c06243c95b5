/** Deletes a file that was checked but never imported. */
import { z } from 'zod'
import { inScope, systemActor } from '#app/domain/scope/scope.server.ts'
import { forgetChecked } from '#app/domain/users/imports/imports.server.ts'
import type { JobContext } from '#app/jobs/context.ts'

const Payload = z.object({ tenant_id: z.uuid(), import_id: z.uuid() })

export async function forgetImport({ database }: JobContext, payload: unknown): Promise<void> {
  const { tenant_id, import_id } = Payload.parse(payload)
  await inScope(database, systemActor(tenant_id), (scope) => forgetChecked(scope, import_id))
}
