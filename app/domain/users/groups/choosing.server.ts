/** The people of an addition: named one by one, or all of a role, a sub-tenant or a saved group. */
import { sql } from 'kysely'
import { invalid } from '#app/domain/errors.ts'
import type { Scope } from '#app/domain/scope/scope.server.ts'
import { figures } from '#app/domain/text/figures.ts'
import type { Group } from './choosing.ts'

export const MAX_GROUP = 20_000

export async function findPeople(
  scope: Scope,
  { user_ids, group }: { user_ids: readonly number[]; group?: Group | undefined },
): Promise<number[]> {
  const named = [...new Set(user_ids)]
  if (named.length === 0 && !group) throw invalid({ user_ids: ['Please choose at least one person'] })
  await requireOpenAccounts(scope, named, 'user_ids')
  return [...new Set([...named, ...(group ? await listGroup(scope, group) : [])])]
}

/** `field`: the field that they were sent in. */
export async function requireOpenAccounts(
  scope: Scope,
  ids: readonly number[],
  field: string,
): Promise<void> {
  const people = await holdOpenAccounts(scope, ids)
  if (people.length < ids.length) throw invalid({ [field]: ['Some of these people do not exist.'] })
}

/** Locks and returns those who still exist, so that nobody is deleted or erased before they are added. */
export async function holdOpenAccounts({ db }: Scope, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return []
  const people = await db
    .selectFrom('users')
    .select('id')
    .where(sql<boolean>`id = any(${[...ids]}::bigint[])`)
    .where('activation_status', '!=', 'disabled')
    .orderBy('id')
    .forKeyShare()
    .execute()
  return people.map(({ id }) => id)
}

async function listGroup(scope: Scope, { general_role, sub_tenant_id, group_id }: Group): Promise<number[]> {
  const { db } = scope
  if (!general_role && !sub_tenant_id && !group_id)
    throw invalid({ group: ['Please choose a group, a role or a sub-tenant'] })
  let people = db.selectFrom('users as u').select('u.id').where('u.activation_status', '!=', 'disabled')
  if (general_role || sub_tenant_id)
    people = people.where('u.id', 'in', withRole(scope, { general_role, sub_tenant_id }))
  // A saved group can contain people without any role.
  if (group_id) {
    await requireGroup(scope, group_id)
    const inGroup = db.selectFrom('user_group_users').select('user_id').where('group_id', '=', group_id)
    people = people.where('u.id', 'in', inGroup)
  }
  const found = await people
    .orderBy('u.id')
    .limit(MAX_GROUP + 1)
    .execute()
  if (found.length > MAX_GROUP)
    throw invalid({ group: [`That’s more than ${figures(MAX_GROUP)} people. Please choose fewer.`] })
  const held = await holdOpenAccounts(
    scope,
    found.map(({ id }) => id),
  )
  if (held.length === 0) throw invalid({ group: ['Nobody matches this choice.'] })
  return held
}

function withRole({ db }: Scope, { general_role, sub_tenant_id }: Omit<Group, 'group_id'>) {
  let roles = db.selectFrom('user_general_roles').select('user_id')
  if (general_role) roles = roles.where('role', '=', general_role)
  if (sub_tenant_id) roles = roles.where('sub_tenant_id', '=', sub_tenant_id)
  return roles
}

async function requireGroup({ db }: Scope, id: number): Promise<void> {
  const group = await db.selectFrom('user_groups').select('id').where('id', '=', id).executeTakeFirst()
  if (!group) throw invalid({ group: ['This group does not exist.'] })
}
