/**
 * The current time by the visitor's tenant, which is ahead of the machine's if the testing tenant's clock was moved.
 */
import type { LoaderFunctionArgs } from '@remix-run/node'
import { readCurrentUser } from './current-user.server.ts'
import type { Visitor } from './guards.server.ts'

type Args = Pick<LoaderFunctionArgs, 'context'>

export async function tenantNow(args: Args, visitor: Pick<Visitor, 'api'>): Promise<Date> {
  const { current_tenant } = await readCurrentUser(args, visitor)
  return new Date(Date.now() + current_tenant.clock_ahead_ms)
}
