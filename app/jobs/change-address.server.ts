/** The provider learns a person's new address, and the old one is told that it is not theirs any more. */
import { z } from 'zod'
import { readReachable } from '#app/domain/contact/code.server.ts'
import { inScope, systemActor } from '#app/domain/scope.server.ts'
import type { JobContext } from './context.ts'

const Payload = z.object({
  tenant_id: z.uuid(),
  user_id: z.number().int(),
  former: z.string(),
  nonce: z.string(),
})

export async function changeAddress(
  { database, carriers, identityAdmin }: JobContext,
  payload: unknown,
): Promise<void> {
  const { tenant_id, user_id, former, nonce } = Payload.parse(payload)
  const known = await inScope(database, systemActor(tenant_id), (scope) => readReachable(scope, user_id))
  if (!known) return
  for (const account of known.accounts) await identityAdmin.changeEmail({ ...account, email: known.email })
  await carriers.email.send({
    tenant_id,
    key: `${tenant_id}:address-changed:${user_id}:${nonce}`,
    channel: 'email',
    to: former,
    subject: 'Your e-mail address was changed',
    text: 'You sign in to Liftwell with another e-mail address from now on. If this was not you, tell your administrator at once.',
  })
}
