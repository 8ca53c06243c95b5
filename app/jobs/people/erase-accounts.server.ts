/** Disables the accounts of an erased person at the provider, and erases their data there. */
import { z } from 'zod'
import type { JobContext } from '#app/jobs/context.ts'

const Payload = z.object({ accounts: z.array(z.object({ pool: z.string(), sub: z.string() })) })

export async function eraseAccounts({ identityAdmin }: JobContext, payload: unknown): Promise<void> {
  for (const account of Payload.parse(payload).accounts) await identityAdmin.erase(account)
}
