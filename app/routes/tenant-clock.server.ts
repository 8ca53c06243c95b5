/** What the clock of the tenant shows where the visitor is: ahead of the machine's where the testing tenant's was moved. */
import type { LoaderFunctionArgs } from '@remix-run/node'
import { readCurrentUser } from './current-user.server.ts'
import type { Visitor } from './guards.server.ts'

type Args = Pick<LoaderFunctionArgs, 'context'>

export async function tenantNow(args: Args, visitor: Pick<Visitor, 'api'>): Promise<Date> {
  const { current_tenant } = await readCurrentUser(args, visitor)
  return new Date(Date.now() + current_tenant.clock_ahead_ms)
}
