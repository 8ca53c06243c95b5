/** What administrators do for people who cannot get in, or whom nobody else should be: the provider follows by a job. */
import { randomUUID } from 'node:crypto'
import { addJob } from '#app/db/queue.server.ts'
import { record } from '../audit/audit.server.ts'
import type { Scope } from '../scope/scope.server.ts'
import { accountsOf } from '../users/accounts.server.ts'
import { findToChange } from '../users/changing.server.ts'
import { requireRight } from '../users/rights.server.ts'
import type { UserRight } from '../users/user.ts'
import type { Notice } from './notices.ts'

export const takeSecondFactor = (scope: Scope, id: number) =>
  settle(scope, id, 'second_factor_taken', 'take_second_factor')

export const requirePasswordReset = (scope: Scope, id: number) =>
  settle(scope, id, 'password_reset_required', 'reset_password')

async function settle(scope: Scope, id: number, what: Notice, right: UserRight): Promise<void> {
  const stored = await findToChange(scope, id)
  await requireRight(scope, stored, right)
  const accounts = await accountsOf(scope, id)
  await record(scope, `user.${what}`, { type: 'user', id })
  const { tenant_id } = scope.actor
  const payload = { tenant_id, user_id: id, accounts, what, nonce: randomUUID() }
  await addJob(scope.db, 'settle-sign-in', payload)
}
