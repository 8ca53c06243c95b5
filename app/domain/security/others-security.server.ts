/** What administrators do for people who cannot get in, or whom nobody else should be: the provider follows by a job. */
import { randomUUID } from 'node:crypto'
import { addJob } from '#app/db/queue.server.ts'
import { may } from '../access/permissions.ts'
import { record } from '../audit/audit.server.ts'
import { readAccounts } from '../contact/code.server.ts'
import { forbidden, Refusal } from '../errors.ts'
import type { Scope } from '../scope.server.ts'
import { findToChange, requireOwnPerson } from '../users/changing.server.ts'
import type { Notice } from './notices.ts'

/** A lost phone. */
export const takeSecondFactor = (scope: Scope, id: number) => settle(scope, id, 'second_factor_taken')

/** A password that others may know. */
export const requirePasswordReset = (scope: Scope, id: number) => settle(scope, id, 'password_reset_required')

async function settle(scope: Scope, id: number, what: Notice): Promise<void> {
  const stored = await findToChange(scope, id)
  if (!may(scope.actor, 'users:edit')) throw forbidden()
  await requireOwnPerson(scope, stored)
  // Whoever sits at somebody's open browser must not get past the password by this way.
  if (scope.actor.user_id === id) throw new Refusal(409, 'Change how you sign in on your own profile.')
  if (stored.activation_status === 'invited')
    throw new Refusal(409, 'This person has never signed in. Resend the invitation instead.')
  const known = await readAccounts(scope, id)
  if (!known?.accounts.length)
    throw new Refusal(409, 'The company’s own sign-in looks after this; it is changed there.')
  await record(scope, `user.${what}`, { type: 'user', id })
  const { tenant_id } = scope.actor
  const payload = { tenant_id, user_id: id, accounts: known.accounts, what, nonce: randomUUID() }
  await addJob(scope.db, 'settle-sign-in', payload)
}
