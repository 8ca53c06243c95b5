import type { Selectable } from 'kysely'
import type { Users } from '#app/db/schema.ts'
import { nameOrEmail } from '#app/domain/text/full-name.ts'
import type { GeneralRole } from '../access/actor.ts'
import { mayEditUser } from '../access/permissions.ts'
import { namesOf, pick } from '../fields.ts'
import type { Scope } from '../scope/scope.server.ts'
import { PERSON } from './person.ts'
import type { User, UserRight } from './user.ts'

export async function rolesOf({ db }: Scope, ids: readonly number[]) {
  if (ids.length === 0) return []
  return db
    .selectFrom('user_general_roles')
    .select(['user_id', 'role', 'tenant_id', 'sub_tenant_id'])
    .where('user_id', 'in', ids)
    .orderBy('id')
    .execute()
}

export function toUser(
  { actor }: Scope,
  row: Selectable<Users>,
  held: Awaited<ReturnType<typeof rolesOf>>,
  rights: ReadonlyMap<number, UserRight[]>,
): User {
  return {
    id: row.id,
    ...pick(row, namesOf(PERSON)),
    name: nameOrEmail(row),
    ...(mayEditUser(actor, row.id)
      ? { sms_opt_in: row.sms_opt_in, last_seen_on: row.last_seen_on?.toISOString() ?? null }
      : { mobile_phone: null }),
    activation_status: row.activation_status as User['activation_status'],
    is_erased: row.erased_on !== null,
    user_general_roles: held
      .filter(({ user_id }) => user_id === row.id)
      .map(({ role, tenant_id, sub_tenant_id }) => ({
        role: role as GeneralRole['role'],
        tenant_id,
        sub_tenant_id,
      })),
    created_on: row.created_on.toISOString(),
    lock_version: row.lock_version,
    rights: rights.get(row.id) ?? [],
  }
}
