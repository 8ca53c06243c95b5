import { z } from 'zod'
import type { JobContext } from '#app/jobs/context.ts'
import { sendOnce } from './send-once.server.ts'
import { isStillTheirs, QueuedOn } from './still-theirs.server.ts'

const Payload = z.object({
  tenant_id: z.uuid(),
  to: z.string(),
  text: z.string(),
  key: z.string(),
  queued_on: QueuedOn,
})

export async function answerText(context: JobContext, payload: unknown): Promise<void> {
  const { carriers, database } = context
  const { tenant_id, to, text, key, queued_on } = Payload.parse(payload)
  const ours = `${tenant_id}:${key}`
  // On a run after a failure, it may have been sent already.
  if (await carriers.sms.find({ tenant_id, key: ours })) return
  if (!(await isStillTheirs(database, { tenant_id, address: to, queued_on }))) return
  await sendOnce(context, { tenant_id, key: ours, channel: 'sms', to, subject: '', text })
}
