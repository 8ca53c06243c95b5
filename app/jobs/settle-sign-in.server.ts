/** The provider takes a second factor or a password away, as an administrator has decided, and the person is told. */
import { z } from 'zod'
import type { JobContext } from './context.ts'
import { tellOfSecurity } from './tell-of-security.server.ts'

const Payload = z.object({
  accounts: z.array(z.object({ pool: z.string(), sub: z.string() })),
  what: z.enum(['second_factor_taken', 'password_reset_required']),
})

export async function settleSignIn(context: JobContext, payload: unknown): Promise<void> {
  const { accounts, what } = Payload.parse(payload)
  const { identityAdmin } = context
  for (const account of accounts) {
    if (what === 'password_reset_required') await unlessNone(identityAdmin.requireReset(account))
    else await identityAdmin.setSecondFactor({ ...account, preferred: null })
    // A lost phone may be signed in still.
    await identityAdmin.signOutEverywhere(account)
  }
  await tellOfSecurity(context, payload)
}

/** An account that never had a password has none to reset. */
const unlessNone = (reset: Promise<void>): Promise<void> =>
  reset.catch((error: Error) => {
    if (error.name !== 'UnsupportedUserStateException') throw error
  })
