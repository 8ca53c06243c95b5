/** Moves a new file's bytes to the configured folder or bucket, outside of every transaction. */
import { z } from 'zod'
import { bytesHere, leaveElsewhere } from '#app/domain/files/moving-out.server.ts'
import { storeKey } from '#app/domain/files/store.ts'
import { inScope, systemActor } from '#app/domain/scope/scope.server.ts'
import { fileStore } from '#app/integrations/stores/files.server.ts'
import type { JobContext } from './context.ts'

const Payload = z.object({ tenant_id: z.uuid(), file_id: z.uuid() })

/** Idempotent, so a run after a crash ends the same: the same bytes under the same key, or none if the file is gone. */
export async function moveFileOut({ database }: JobContext, payload: unknown): Promise<void> {
  const { tenant_id, file_id } = Payload.parse(payload)
  const store = fileStore()
  if (!store) return
  const actor = systemActor(tenant_id)
  const bytes = await inScope(database, actor, (scope) => bytesHere(scope, file_id))
  if (bytes) await store.put(storeKey(tenant_id, file_id), bytes)
  const isThere = await inScope(database, actor, (scope) => leaveElsewhere(scope, file_id))
  if (!isThere) await store.remove(storeKey(tenant_id, file_id))
}
