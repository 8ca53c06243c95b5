/** Enables or disables a person's accounts at the provider, as their tenant has decided. */
import { z } from 'zod'
import type { JobContext } from '#app/jobs/context.ts'

const Payload = z.object({
  accounts: z.array(z.object({ pool: z.string(), sub: z.string() })),
  enabled: z.boolean(),
})

export async function settleAccounts({ identityAdmin }: JobContext, payload: unknown): Promise<void> {
  const { accounts, enabled } = Payload.parse(payload)
  for (const account of accounts) await identityAdmin.setEnabled({ ...account, enabled })
}
