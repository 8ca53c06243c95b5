/** Removes a second factor or a password at the provider, as an administrator decided, and tells the person. */
import { z } from 'zod'
import { addJob } from '#app/db/queue.server.ts'
import { inScope, systemActor } from '#app/domain/scope/scope.server.ts'
import type { JobContext } from '#app/jobs/context.ts'

const Payload = z.object({
  tenant_id: z.uuid(),
  user_id: z.number().int(),
  nonce: z.string(),
  accounts: z.array(z.object({ pool: z.string(), sub: z.string() })),
  what: z.enum(['second_factor_taken', 'password_reset_required']),
})

export async function settleSignIn({ database, identityAdmin }: JobContext, payload: unknown): Promise<void> {
  const { accounts, what, ...person } = Payload.parse(payload)
  for (const account of accounts) {
    if (what === 'password_reset_required') await unlessNone(identityAdmin.requireReset(account))
    else await identityAdmin.setSecondFactor({ ...account, preferred: null })
    // A lost phone may still be signed in.
    await identityAdmin.signOutEverywhere(account)
  }
  // With the same key, a run after a failure does not send a second mail.
  const key = `tell-of-security:${person.nonce}`
  await inScope(database, systemActor(person.tenant_id), ({ db }) =>
    addJob(db, 'tell-of-security', { ...person, what }, { key, carrier: 'email' }),
  )
}

/** An account that never had a password has none to reset. */
const unlessNone = (reset: Promise<void>): Promise<void> =>
  reset.catch((error: Error) => {
    if (error.name !== 'UnsupportedUserStateException') throw error
  })
