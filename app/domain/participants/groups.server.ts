/** Whom an addition names: people one by one, or all of a role or a sub-tenant. */
import { invalid } from '../errors.ts'
import type { Scope } from '../scope.server.ts'
import type { Group, MembersInput } from './member.ts'

const MAX_GROUP = 20_000

export async function findPeople(
  scope: Scope,
  { user_ids, group }: Pick<MembersInput, 'user_ids' | 'group'>,
): Promise<number[]> {
  const named = [...new Set(user_ids)]
  if (named.length === 0 && !group) throw invalid({ user_ids: ['Please choose at least one person'] })
  if (named.length > 0) {
    const people = await scope.db
      .selectFrom('users')
      .select('id')
      .where('id', 'in', named)
      .where('activation_status', '!=', 'disabled')
      .execute()
    if (people.length < named.length) throw invalid({ user_ids: ['Some of these people do not exist.'] })
  }
  return [...new Set([...named, ...(group ? await listGroup(scope, group) : [])])]
}

async function listGroup({ db }: Scope, { general_role, sub_tenant_id }: Group): Promise<number[]> {
  if (!general_role && !sub_tenant_id) throw invalid({ group: ['Please choose a role or a sub-tenant'] })
  let roles = db
    .selectFrom('user_general_roles as r')
    .innerJoin('users as u', 'u.id', 'r.user_id')
    .select('u.id')
    .distinct()
    .where('u.activation_status', '!=', 'disabled')
  if (general_role) roles = roles.where('r.role', '=', general_role)
  if (sub_tenant_id) roles = roles.where('r.sub_tenant_id', '=', sub_tenant_id)
  const people = await roles
    .orderBy('u.id')
    .limit(MAX_GROUP + 1)
    .execute()
  if (people.length > MAX_GROUP)
    throw invalid({ group: [`That is more than ${MAX_GROUP} people; please choose fewer.`] })
  if (people.length === 0) throw invalid({ group: ['Nobody is in this group.'] })
  return people.map((person) => person.id)
}
