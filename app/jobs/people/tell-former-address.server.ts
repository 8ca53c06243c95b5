/** Tells a person's former address that their account no longer uses it. */
import { z } from 'zod'
import { formerAddressMail } from '#app/domain/account/notices.ts'
import type { JobContext } from '#app/jobs/context.ts'
import { sendOnce } from '#app/jobs/sending/send-once.server.ts'
import { isStillTheirs, QueuedOn } from '#app/jobs/sending/still-theirs.server.ts'

const Payload = z.object({
  tenant_id: z.uuid(),
  user_id: z.number().int(),
  former: z.string(),
  nonce: z.string(),
  queued_on: QueuedOn,
})

export async function tellFormerAddress(context: JobContext, payload: unknown): Promise<void> {
  const { tenant_id, user_id, former, nonce, queued_on } = Payload.parse(payload)
  if (!(await isStillTheirs(context.database, { tenant_id, address: former, queued_on }))) return
  await sendOnce(context, {
    tenant_id,
    key: `${tenant_id}:address-changed:${user_id}:${nonce}`,
    channel: 'email',
    to: former,
    ...formerAddressMail(),
  })
}
