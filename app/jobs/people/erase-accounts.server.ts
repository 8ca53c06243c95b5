/** The accounts of a person who is forgotten: disabled at the provider, which forgets who they were too. */
import { z } from 'zod'
import type { JobContext } from '#app/jobs/context.ts'

const Payload = z.object({ accounts: z.array(z.object({ pool: z.string(), sub: z.string() })) })

export async function eraseAccounts({ identityAdmin }: JobContext, payload: unknown): Promise<void> {
  for (const account of Payload.parse(payload).accounts) await identityAdmin.erase(account)
}
