/**
 * What administrators do to another person's sign-in: for somebody who is locked out, or to lock somebody out. A job
 * tells the provider.
 */
import { randomUUID } from 'node:crypto'
import { addJob } from '#app/db/queue.server.ts'
import { record } from '../audit/audit.server.ts'
import { Refusal } from '../errors.ts'
import type { Scope } from '../scope/scope.server.ts'
import { accountsOf } from '../users/accounts.server.ts'
import { findToChange } from '../users/changing.server.ts'
import { requireRight } from '../users/rights.server.ts'
import type { UserRight } from '../users/user.ts'
import type { Account, Accounts } from './accounts.ts'
import type { Notice } from './notices.ts'

const NO_FACTOR = 'This person has no second factor.'

/** Nobody gets a notice about a second factor that they did not have. */
export async function takeSecondFactor(scope: Scope, provider: Accounts | undefined, id: number) {
  const accounts = await requireAccounts(scope, id, 'take_second_factor')
  const has = provider && (await Promise.all(accounts.map((one) => provider.fetchMFAPreference(one))))
  if (has?.every(({ preferred }) => preferred === null)) throw new Refusal(409, NO_FACTOR)
  await settle(scope, id, 'second_factor_taken', accounts)
}

/** Only from the server's command line, as no administrator may do this to a super admin. */
export async function takeSecondFactorOf(
  scope: Scope,
  id: number,
  hasFactor: (account: Account) => Promise<boolean>,
): Promise<void> {
  const accounts = await accountsOf(scope, id)
  if (accounts.length === 0)
    throw new Refusal(409, 'This person signs in elsewhere, or has not accepted their invitation.')
  const has = await Promise.all(accounts.map(hasFactor))
  if (!has.includes(true)) throw new Refusal(409, NO_FACTOR)
  await settle(scope, id, 'second_factor_taken', accounts)
}

export async function requirePasswordReset(scope: Scope, id: number): Promise<void> {
  const accounts = await requireAccounts(scope, id, 'reset_password')
  await settle(scope, id, 'password_reset_required', accounts)
}

async function requireAccounts(scope: Scope, id: number, right: UserRight): Promise<Account[]> {
  await requireRight(scope, await findToChange(scope, id), right)
  return accountsOf(scope, id)
}

async function settle(scope: Scope, id: number, what: Notice, accounts: readonly Account[]): Promise<void> {
  await record(scope, `user.${what}`, { type: 'user', id })
  const { tenant_id } = scope.actor
  const payload = { tenant_id, user_id: id, accounts, what, nonce: randomUUID() }
  await addJob(scope.db, 'settle-sign-in', payload)
}
