import { sql } from 'kysely'
import { hasAddress } from '#app/db/has-address.server.ts'
import { record } from '#app/domain/audit/audit.server.ts'
import { invalid, Refusal } from '#app/domain/errors.ts'
import type { Scope } from '#app/domain/scope/scope.server.ts'
import { figures } from '#app/domain/text/figures.ts'
import { MAX_GROUP, requireOpenAccounts } from './choosing.server.ts'
import type { GroupPeopleChange, GroupPeopleChanged } from './user-group.ts'
import { lockUserGroup } from './user-groups.server.ts'

/** Idempotent: adding a member or removing a non-member is not an error. */
export async function changeGroupPeople(
  scope: Scope,
  id: number,
  { add_user_ids, add_emails, remove_user_ids }: GroupPeopleChange,
): Promise<GroupPeopleChanged> {
  if (add_user_ids.length + add_emails.length + remove_user_ids.length === 0)
    throw invalid({ add_user_ids: ['Please choose at least one person'] })
  const { name, people } = await lockUserGroup(scope, id)
  await requireOpenAccounts(scope, [...new Set(add_user_ids)], 'add_user_ids')
  const added = await add(scope, id, [...add_user_ids, ...(await idsOf(scope, add_emails))])
  const removed = await remove(scope, id, remove_user_ids)
  if (people + added.length - removed.length > MAX_GROUP)
    throw new Refusal(409, `A group has at most ${figures(MAX_GROUP)} people.`)
  if (added.length + removed.length > 0)
    await record(scope, 'user_group.people_changed', { type: 'user_group', id, name }, { added, removed })
  return { added: added.length, removed: removed.length }
}

async function add({ actor, db }: Scope, group_id: number, user_ids: readonly number[]): Promise<number[]> {
  if (user_ids.length === 0) return []
  const { tenant_id } = actor
  const rows = await db
    .insertInto('user_group_users')
    .values([...new Set(user_ids)].map((user_id) => ({ tenant_id, group_id, user_id })))
    .onConflict((clash) => clash.columns(['tenant_id', 'group_id', 'user_id']).doNothing())
    .returning('user_id')
    .execute()
  return rows.map(({ user_id }) => user_id)
}

async function remove({ db }: Scope, group_id: number, user_ids: readonly number[]): Promise<number[]> {
  if (user_ids.length === 0) return []
  const rows = await db
    .deleteFrom('user_group_users')
    .where('group_id', '=', group_id)
    .where('user_id', 'in', user_ids)
    .returning('user_id')
    .execute()
  return rows.map(({ user_id }) => user_id)
}

const MAX_NAMED = 10

async function idsOf({ db }: Scope, emails: readonly string[]): Promise<number[]> {
  if (emails.length === 0) return []
  const found = await db
    .selectFrom('users')
    .select(['id', sql<string>`lower(email::text)`.as('email')])
    .where(hasAddress(...emails))
    .where('activation_status', '!=', 'disabled')
    .orderBy('id')
    .forKeyShare()
    .execute()
  const known = new Set(found.map(({ email }) => email))
  const unknown = [...new Set(emails)].filter((email) => !known.has(email))
  if (unknown.length > 0) {
    const more = unknown.length > MAX_NAMED ? ` and ${unknown.length - MAX_NAMED} more` : ''
    const named = `${unknown.slice(0, MAX_NAMED).join(', ')}${more}`
    throw invalid({ add_emails: [`Nobody here has this address, or the account is deactivated: ${named}`] })
  }
  return found.map(({ id }) => id)
}
