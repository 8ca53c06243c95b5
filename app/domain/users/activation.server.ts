/** Activating, disabling and deleting accounts. A disabled person is locked out from the next request on. */
import { addJob } from '#app/db/queue.server.ts'
import { record, recordChange } from '#app/domain/audit/audit.server.ts'
import { Refusal } from '#app/domain/errors.ts'
import { type Scope, tenantWide } from '#app/domain/scope/scope.server.ts'
import { accountsOf, endAccounts } from './accounts.server.ts'
import { findToChange } from './changing.server.ts'
import { lockGroupsOf } from './groups/user-groups.server.ts'
import { requireRight } from './rights.server.ts'
import { requireAnotherAdmin } from './roles.server.ts'
import type { User } from './user.ts'
import { getUser } from './users.server.ts'

const FIELD = 'activation_status'

/** Reactivated people who have never signed in are "invited" again. */
export async function setActivation(scope: Scope, id: number, wanted: 'active' | 'disabled'): Promise<User> {
  const stored = await findToChange(scope, id)
  await requireRight(scope, stored, wanted === 'disabled' ? 'deactivate' : 'activate')
  if (wanted === 'disabled') await requireAnotherAdmin(scope, id, FIELD)
  const isBack = stored.activation_status === 'disabled' && wanted === 'active'
  const hasCome = stored.last_seen_on !== null || stored.accepted_terms_on !== null
  const activation_status =
    wanted === 'disabled' ? 'disabled' : isBack ? (hasCome ? 'active' : 'invited') : stored.activation_status
  if (activation_status !== stored.activation_status) {
    await scope.db.updateTable('users').set({ activation_status }).where('id', '=', id).execute()
    const action = wanted === 'disabled' ? 'user.deactivated' : 'user.activated'
    await recordChange(scope, action, { type: 'user', id }, { before: stored, after: { activation_status } })
    await settleAccounts(scope, id)
    if (isBack) await planWhatIsMissing(scope, id)
  }
  return getUser(scope, id)
}

/** Only people who left no trace can be deleted: what people wrote and answered is stored under their name. */
export async function deleteUser(scope: Scope, id: number): Promise<void> {
  await lockGroupsOf(scope, id)
  const stored = await findToChange(scope, id)
  await requireRight(scope, stored, 'delete')
  await requireAnotherAdmin(scope, id, FIELD)
  await endAccounts(scope, id)
  await record(scope, 'user.deleted', { type: 'user', id })
  try {
    // Tenant-wide, to remove them also from groups of the whole company.
    await tenantWide(scope, ({ db }) => db.deleteFrom('users').where('id', '=', id).execute())
  } catch (error) {
    if ((error as { code?: unknown }).code !== '23503') throw error
    throw new Refusal(409, 'This person takes part in journeys. Deactivate the account instead.')
  }
}

/** Includes journeys that the administrator does not see from here, so a job does it. */
async function planWhatIsMissing({ actor: { tenant_id }, db }: Scope, user_id: number): Promise<void> {
  const key = `replan-people:back:${user_id}`
  await addJob(db, 'replan-people', { tenant_id, user_id, is_back: true }, { key })
}

async function settleAccounts(scope: Scope, user_id: number): Promise<void> {
  if ((await accountsOf(scope, user_id)).length === 0) return
  const payload = { tenant_id: scope.actor.tenant_id, user_id }
  await addJob(scope.db, 'settle-accounts', payload, { key: `settle-accounts:${user_id}` })
}
