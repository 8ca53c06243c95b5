/** Removes the stored bytes of a file whose row is gone. */
import { z } from 'zod'
import { fileStore } from '#app/integrations/stores/files.server.ts'
import type { JobContext } from './context.ts'

const Payload = z.object({ key: z.string() })

export async function removeStoredFile(_context: JobContext, payload: unknown): Promise<void> {
  await fileStore()?.remove(Payload.parse(payload).key)
}
