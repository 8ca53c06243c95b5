/** Deletes message files that have grown old, or whose outbox row is gone. */
import { z } from 'zod'
import type { JobContext } from './context.ts'

const Payload = z.object({ message_ids: z.array(z.number().int()).default([]) })

export async function forgetMessages(
  { outboxFolder }: Pick<JobContext, 'outboxFolder'>,
  payload: unknown,
): Promise<void> {
  await outboxFolder?.forget(Payload.parse(payload).message_ids)
  await outboxFolder?.forgetOld()
}
