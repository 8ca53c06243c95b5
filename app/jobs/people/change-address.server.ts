/** Tells the provider a person's new address; another job tells the old address. */
import { z } from 'zod'
import { addJob } from '#app/db/queue.server.ts'
import { readReachable } from '#app/domain/account/code.server.ts'
import { inScope, systemActor } from '#app/domain/scope/scope.server.ts'
import type { JobContext } from '#app/jobs/context.ts'

const Payload = z.object({
  tenant_id: z.uuid(),
  user_id: z.number().int(),
  former: z.string(),
  nonce: z.string(),
})

export async function changeAddress(
  { database, identityAdmin }: JobContext,
  payload: unknown,
): Promise<void> {
  const { tenant_id, user_id, former, nonce } = Payload.parse(payload)
  const known = await inScope(database, systemActor(tenant_id), (scope) => readReachable(scope, user_id))
  if (!known) return
  for (const account of known.accounts) await identityAdmin.changeEmail({ ...account, email: known.email })
  // With the same key, a run after a failure does not send a second mail.
  const key = `tell-former-address:${nonce}`
  await inScope(database, systemActor(tenant_id), ({ db }) =>
    addJob(db, 'tell-former-address', { former, user_id, nonce }, { key, carrier: 'email' }),
  )
}
