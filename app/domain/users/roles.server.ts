import type { GeneralRole } from '#app/domain/access/actor.ts'
import { conflict, forbidden, invalid } from '#app/domain/errors.ts'
import { takeTurns } from '#app/domain/scope/advisory-lock.server.ts'
import { askOnce } from '#app/domain/scope/ask-once.server.ts'
import { type Scope, tenantWide } from '#app/domain/scope/scope.server.ts'
import type { RoleInput } from './user.ts'

type Held = Pick<GeneralRole, 'role' | 'sub_tenant_id'>

/**
 * Validates and normalizes roles; one in a foreign tenant or sub-tenant is refused like one that does not exist.
 * Roles that the person (`userId`) already has are accepted, even in a deleted sub-tenant, which may be restored.
 */
export async function settleRoles(
  scope: Scope,
  given: readonly RoleInput[],
  userId?: number,
): Promise<Held[]> {
  // A key is revoked; an administrator that it made would stay.
  if (scope.actor.api_key && given.some(({ role }) => role === 'admin'))
    throw forbidden('An API key cannot make administrators.')
  const known = await knownSubTenants(scope, given)
  const held = userId === undefined ? [] : await rolesHere(scope, userId)
  for (const [index, wanted] of given.entries()) {
    const { tenant_id, sub_tenant_id } = wanted
    const field = `user_general_roles.${index}`
    if (tenant_id && tenant_id.toLowerCase() !== scope.actor.tenant_id)
      throw invalid({ [`${field}.tenant_id`]: ['There is no such tenant'] })
    if (held.some((one) => isSame(one, settled(wanted)))) continue
    if (sub_tenant_id ? !known.has(sub_tenant_id.toLowerCase()) : scope.actor.sub_tenant_id !== null)
      throw invalid({ [`${field}.sub_tenant_id`]: ['There is no such sub-tenant'] })
  }
  const roles = given.map(settled)
  return roles.filter((one, at) => at === roles.findIndex((other) => isSame(one, other)))
}

const settled = ({ role, sub_tenant_id }: RoleInput): Held => ({
  role,
  sub_tenant_id: sub_tenant_id?.toLowerCase() ?? null,
})

async function knownSubTenants({ db, actor }: Scope, given: readonly RoleInput[]): Promise<Set<string>> {
  const ids = given.flatMap(({ sub_tenant_id }) => sub_tenant_id ?? [])
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('sub_tenants')
    .select('id')
    .where('tenant_id', '=', actor.tenant_id)
    .where('deleted_on', 'is', null)
    .where('id', 'in', ids)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

export async function giveRoles(
  { db, actor }: Scope,
  user_id: number,
  roles: readonly Held[],
): Promise<void> {
  if (roles.length === 0) return
  await db
    .insertInto('user_general_roles')
    .values(roles.map((one) => ({ ...one, user_id, tenant_id: actor.tenant_id })))
    .onConflict((clash) => clash.doNothing())
    .execute()
}

/** Replaces the person's roles in the caller's scope; inside a sub-tenant, roles elsewhere stay. Returns the previous roles. */
export async function replaceRoles(scope: Scope, user_id: number, wanted: readonly Held[]) {
  const held = await rolesHere(scope, user_id)
  const lost = held.filter((one) => !wanted.some((other) => isSame(one, other)))
  const gained = wanted.filter((one) => !held.some((other) => isSame(one, other)))
  if (lost.some(({ role }) => role === 'admin') && scope.actor.user_id === user_id)
    throw conflict('user_general_roles', 'You cannot remove your own administrator role.')
  if (lost.some(isTenantAdmin)) await requireAnotherAdmin(scope, user_id, 'user_general_roles')
  const ids = lost.map(({ id }) => id)
  if (ids.length) await scope.db.deleteFrom('user_general_roles').where('id', 'in', ids).execute()
  await giveRoles(scope, user_id, gained)
  return inOrder(held)
}

export const rolesHere = ({ db }: Scope, user_id: number) =>
  db
    .selectFrom('user_general_roles')
    .select(['id', 'role', 'sub_tenant_id'])
    .where('user_id', '=', user_id)
    .execute()

export const inOrder = (roles: readonly { role: string; sub_tenant_id: string | null }[]) =>
  roles
    .map(({ role, sub_tenant_id }) => ({ role, sub_tenant_id }))
    .sort((one, other) => JSON.stringify(one).localeCompare(JSON.stringify(other)))

/** A company must keep at least one administrator. The lock handles two who remove each other at the same time. */
export async function requireAnotherAdmin(scope: Scope, user_id: number, field: string): Promise<void> {
  await takeTurns(scope, 'admins')
  await tenantWide(scope, async (inner) => {
    const admins = await inner.db
      .selectFrom('user_general_roles as held')
      .innerJoin('users', 'users.id', 'held.user_id')
      .select(['users.id', 'users.activation_status'])
      .where('held.role', '=', 'admin')
      .where('held.sub_tenant_id', 'is', null)
      .where('users.activation_status', '!=', 'disabled')
      .execute()
    const own = admins.find(({ id }) => id === user_id)
    // Invited people may never sign in, so they do not count.
    const isEnough = admins.some(
      ({ id, activation_status }) =>
        id !== user_id && (activation_status === 'active' || own?.activation_status === 'invited'),
    )
    if (own && !isEnough) throw conflict(field, 'This is the last administrator of the company.')
  })
}

/** Those of the people who also have a role outside the caller's sub-tenant. */
export async function workingElsewhere(scope: Scope, user_ids: readonly number[]): Promise<Set<number>> {
  const { sub_tenant_id } = scope.actor
  if (sub_tenant_id === null) return new Set()
  return tenantWide(scope, async (wide) => {
    const others = await askOnce(wide, ['working elsewhere', sub_tenant_id, user_ids], () =>
      wide.db
        .selectFrom('user_general_roles')
        .select('user_id')
        .where('user_id', 'in', user_ids)
        .where((is) => is.or([is('sub_tenant_id', 'is', null), is('sub_tenant_id', '!=', sub_tenant_id)]))
        .execute(),
    )
    return new Set(others.map(({ user_id }) => user_id))
  })
}

const isTenantAdmin = ({ role, sub_tenant_id }: { role: string; sub_tenant_id: string | null }): boolean =>
  role === 'admin' && sub_tenant_id === null

const isSame = (
  one: { role: string; sub_tenant_id: string | null },
  other: { role: string; sub_tenant_id: string | null },
): boolean => one.role === other.role && one.sub_tenant_id === other.sub_tenant_id
