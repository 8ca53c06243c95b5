/** Enables or disables a person's accounts at the provider, as their tenant has decided. */
import { z } from 'zod'
import { inScope, systemActor } from '#app/domain/scope/scope.server.ts'
import { accountsOf, isInUse } from '#app/domain/users/accounts.server.ts'
import type { JobContext } from '#app/jobs/context.ts'

const Payload = z.object({ tenant_id: z.uuid(), user_id: z.number().int() })
/** A job of an earlier version; today a newer decision replaces a waiting one. */
const Decided = z.object({
  accounts: z.array(z.object({ pool: z.string(), sub: z.string() })),
  enabled: z.boolean(),
})

/** Another run may be writing an older decision: the last one to write reads the current decision again. */
export async function settleAccounts(
  { database, identityAdmin }: JobContext,
  payload: unknown,
): Promise<void> {
  const decided = Decided.safeParse(payload).data
  if (decided) return write(identityAdmin, decided)
  const { tenant_id, user_id } = Payload.parse(payload)
  const read = () =>
    inScope(database, systemActor(tenant_id), async (scope) => ({
      accounts: await accountsOf(scope, user_id),
      enabled: await isInUse(scope, user_id),
    }))
  let written: boolean | null = null
  for (let wanted = await read(); wanted.enabled !== written; wanted = await read()) {
    await write(identityAdmin, wanted)
    written = wanted.enabled
  }
}

async function write(admin: JobContext['identityAdmin'], { accounts, enabled }: z.infer<typeof Decided>) {
  for (const account of accounts) await admin.setEnabled({ ...account, enabled })
}
