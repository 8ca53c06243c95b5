/** Groups of people: their names and members. */
import { sql } from 'kysely'
import { record, recordChange } from '#app/domain/audit/audit.server.ts'
import { conflict, notFound, Refusal } from '#app/domain/errors.ts'
import { requireSeen, type Seen, wasDone } from '#app/domain/optimistic-lock.ts'
import { takeTurns } from '#app/domain/scope/advisory-lock.server.ts'
import { type Scope, tenantWide } from '#app/domain/scope/scope.server.ts'
import { UserGroup, type UserGroupChange, type UserGroupInput } from './user-group.ts'

const MAX_GROUPS = 100
const NAMING = 'names of groups'

/** The stored count is right outside sub-tenants, where everybody in a group is visible. */
const COUNTED = {
  whole: sql<number>`g.people`,
  inside: sql<number>`(select count(*) from user_group_users p join users u on u.id = p.user_id
    where p.group_id = g.id)`,
}

const selectGroups = ({ actor, db }: Scope) =>
  db
    .selectFrom('user_groups as g')
    .leftJoin('sub_tenants as s', 's.id', 'g.sub_tenant_id')
    .select(['g.id', 'g.name', 'g.sub_tenant_id', 'g.lock_version', 's.name as sub_tenant'])
    .select(COUNTED[actor.sub_tenant_id === null ? 'whole' : 'inside'].as('people'))

export async function listUserGroups(scope: Scope): Promise<UserGroup[]> {
  const rows = await selectGroups(scope).orderBy(sql`lower(g.name)`).orderBy('g.id').execute()
  return rows.map((row) => UserGroup.parse(row))
}

export async function getUserGroup(scope: Scope, id: number): Promise<UserGroup> {
  const row = await selectGroups(scope).where('g.id', '=', id).executeTakeFirst()
  if (!row) throw notFound()
  return UserGroup.parse(row)
}

/** A group created inside a sub-tenant belongs to it. */
export async function createUserGroup(scope: Scope, { name }: UserGroupInput): Promise<UserGroup> {
  const { tenant_id, sub_tenant_id } = scope.actor
  await requireRoom(scope)
  await requireFreeName(scope, { name, sub_tenant_id })
  const { id } = await scope.db
    .insertInto('user_groups')
    .values({ tenant_id, sub_tenant_id, name })
    .returning('id')
    .executeTakeFirstOrThrow()
  await record(scope, 'user_group.created', { type: 'user_group', id, name }, { name })
  return getUserGroup(scope, id)
}

export async function updateUserGroup(
  scope: Scope,
  id: number,
  { lock_version, name }: UserGroupChange,
): Promise<UserGroup> {
  await takeTurns(scope, NAMING)
  const before = await lockUserGroup(scope, id)
  if (wasDone(before, { lock_version }, before.name === name)) return before
  await requireFreeName(scope, { ...before, name })
  await scope.db
    .updateTable('user_groups')
    .set({ name, lock_version: lock_version + 1 })
    .where('id', '=', id)
    .execute()
  const change = { before: { name: before.name }, after: { name } }
  await recordChange(scope, 'user_group.updated', { type: 'user_group', id, name }, change)
  return getUserGroup(scope, id)
}

/** Nobody is removed from a journey. */
export async function deleteUserGroup(scope: Scope, id: number, seen: Seen): Promise<void> {
  const group = await lockUserGroup(scope, id)
  requireSeen(group, seen)
  await record(scope, 'user_group.deleted', { type: 'user_group', id, name: group.name })
  await scope.db.deleteFrom('user_groups').where('id', '=', id).execute()
}

export async function lockUserGroup(scope: Scope, id: number): Promise<UserGroup> {
  await scope.db.selectFrom('user_groups').select('id').where('id', '=', id).forUpdate().execute()
  return getUserGroup(scope, id)
}

/** Lock these before the person, in the same order as adding somebody to a group. Tenant-wide, for groups of any place. */
export async function lockGroupsOf(scope: Scope, userId: number): Promise<void> {
  await tenantWide(scope, ({ db }) =>
    db
      .selectFrom('user_groups')
      .select('id')
      .where('id', 'in', (q) =>
        q.selectFrom('user_group_users').select('group_id').where('user_id', '=', userId),
      )
      .orderBy('id')
      .forUpdate()
      .execute(),
  )
}

async function requireRoom(scope: Scope): Promise<void> {
  await takeTurns(scope, NAMING)
  const groups = await tenantWide(scope, ({ db }) => db.selectFrom('user_groups').select('id').execute())
  if (groups.length >= MAX_GROUPS)
    throw new Refusal(409, `A company has at most ${MAX_GROUPS} groups. Delete one that is not needed.`)
}

async function requireFreeName({ db }: Scope, group: Partial<UserGroup> & { name: string }): Promise<void> {
  const taken = await db
    .selectFrom('user_groups')
    .select('id')
    .where(sql<boolean>`lower(name) = lower(${group.name})`)
    .where('sub_tenant_id', 'is not distinct from', group.sub_tenant_id ?? null)
    .where('id', '!=', group.id ?? 0)
    .executeTakeFirst()
  if (taken) throw conflict('name', 'There is a group with this name already.')
}
