/** The signed-in person, and their current place. */

import { type InferResult, type Kysely, type Selectable, sql } from 'kysely'
import { plannedOnce } from '#app/db/plans/named.server.ts'
import type { DB, SubTenants, Tenants } from '#app/db/schema.ts'
import type { Actor } from '#app/domain/access/actor.ts'
import { hasMoreThanOneSubTenant, heldRoles, isAdmin } from '#app/domain/access/tenancy.ts'
import { notFound } from '#app/domain/errors.ts'
import { namesOf, pick } from '#app/domain/fields.ts'
import { filePath } from '#app/domain/files/files.server.ts'
import { atHome, type Scope, scopeTenant, scopeUser } from '#app/domain/scope/scope.server.ts'
import { tenantSettings } from '#app/domain/tenants/rows.server.ts'
import { rulesInForce } from '#app/domain/tenants/sub-tenant-rules.server.ts'
import { nameOrEmail } from '#app/domain/text/full-name.ts'
import { newestRows, rememberNewest } from '../notifications/notifications.server.ts'
import { askOnce, remember } from '../scope/ask-once.server.ts'
import type { CurrentUser } from './current-user.ts'
import { PERSON } from './person.ts'

/** `should_enter_subtenant`: whether a sub-tenant has to be chosen before anything else. */
export async function getCurrentUser(
  scope: Scope,
  should_enter_subtenant: boolean,
  isFramed = false,
): Promise<CurrentUser> {
  const { actor } = scope
  const {
    user,
    own_tenant: tenant,
    place,
    is_sponsor,
  } = await atHome(scope, (home) => findSelfAndPlace(home, actor, isFramed))
  const { tenant: current, sub_tenant: subTenant } = place
  return {
    ...pick(user, ['id', 'sms_opt_in', 'lock_version', ...namesOf(PERSON)]),
    name: nameOrEmail(user),
    user_general_roles: [...actor.general_roles],
    accept_terms_and_conditions: user.accepted_terms_on !== null,
    activation_status: user.activation_status as CurrentUser['activation_status'],
    roles: should_enter_subtenant ? heldRoles(actor) : [...actor.roles],
    is_super_admin: actor.is_super_admin,
    is_impersonating: actor.is_impersonating,
    is_admin: isAdmin(actor),
    hasMoreThanOneSubTenant: hasMoreThanOneSubTenant(actor),
    should_enter_subtenant,
    subTenantId: actor.sub_tenant_id,
    tenant: {
      ...shown(tenant),
      customer_type: tenant.customer_type as 'Single Tenant',
      timezone: tenant.timezone,
    },
    current_tenant: {
      ...shown(current),
      customer_type: current.customer_type as 'Single Tenant',
      timezone: current.timezone,
      llj_categories: current.llj_categories,
      clock_ahead_ms: Number(current.clock_ahead_ms),
    },
    current_sub_tenant: subTenant ? { ...shown(subTenant), timezone: subTenant.timezone } : null,
    is_testing_tenant: current.is_testing,
    // A visitor of another company sponsors nobody there.
    is_sponsor: is_sponsor && !actor.is_impersonating,
    sign_in_links: tenantSettings(current).sign_in_links,
    authors_may_create_drafts: rulesInForce(current, subTenant ?? undefined).authors_may_create_drafts,
  }
}

const SELF = ['self']

/** The caller's own row; only inside `atHome`. */
export async function findSelf(scope: Scope, purpose: 'to read it' | 'to change it' = 'to read it') {
  const own = scope.db.selectFrom('users').selectAll().where('id', '=', scope.actor.user_id)
  const user =
    purpose === 'to change it'
      ? await own.forUpdate().executeTakeFirst()
      : await askOnce(scope, SELF, () => own.executeTakeFirst())
  if (!user) throw notFound()
  return user
}

type OnScreen = 'id' | 'name' | 'logo_file_id' | 'status'
/** As JSON, in which dates are strings. */
type StoredTenant = Pick<
  Selectable<Tenants>,
  OnScreen | 'customer_type' | 'timezone' | 'llj_categories' | 'is_testing' | 'clock_ahead_ms' | 'settings'
> & { deleted_on: Date | string | null }
type StoredSubTenant = Pick<Selectable<SubTenants>, OnScreen | 'tenant_id' | 'timezone' | 'settings'> & {
  deleted_on: Date | string | null
}

type Place = { tenant: StoredTenant; sub_tenant: StoredSubTenant | null }

const selfAtHome = (db: Kysely<DB>, isFramed: boolean) =>
  db
    .selectFrom('users')
    .innerJoin('tenants', 'tenants.id', 'users.tenant_id')
    .selectAll('users')
    .select([
      sql<StoredTenant>`to_jsonb(tenants)`.as('own_tenant'),
      sql<StoredSubTenant | null>`(select to_jsonb(s) from sub_tenants s
        where s.tenant_id = scope_tenant() and s.id = scope_sub_tenant())`.as('own_sub_tenant'),
      sql<boolean>`scope_is_sponsor()`.as('is_sponsor'),
    ])
    .$if(isFramed, (query) => query.select(newestRows.as('newest')))
    .where('users.tenant_id', '=', scopeTenant)
    .where('users.id', '=', scopeUser)

const readSelf = plannedOnce((db) => selfAtHome(db, false))
const readSelfFramed = plannedOnce((db) => selfAtHome(db, true))

/** Where a super admin is, who sees it from home as well. */
const placeOf = ({ tenant_id, sub_tenant_id }: Actor) => sql<Place>`(
  select jsonb_build_object('tenant', to_jsonb(t), 'sub_tenant',
    (select to_jsonb(s) from sub_tenants s where s.tenant_id = t.id and s.id = ${sub_tenant_id}::uuid))
  from tenants t where t.id = ${tenant_id})`

type Found = InferResult<ReturnType<typeof selfAtHome>>[number] & { place?: Place }

async function findSelfAndPlace(home: Scope, actor: Actor, isFramed: boolean) {
  const [found]: readonly Found[] = actor.is_impersonating
    ? await selfAtHome(home.db, isFramed).select(placeOf(actor).as('place')).execute()
    : await (isFramed ? readSelfFramed : readSelf)(home.db)
  if (!found) throw notFound()
  const { own_tenant, own_sub_tenant, is_sponsor, newest, place, ...user } = found
  remember(home, SELF, user)
  if (newest) rememberNewest(home, newest)
  return { user, own_tenant, place: place ?? { tenant: own_tenant, sub_tenant: own_sub_tenant }, is_sponsor }
}

function shown(stored: Pick<StoredTenant, OnScreen | 'deleted_on'> & { tenant_id?: string }) {
  const status: 'active' | 'inactive' =
    stored.deleted_on || stored.status !== 'active' ? 'inactive' : 'active'
  return {
    id: stored.id,
    name: stored.name,
    logo: filePath(stored.tenant_id ?? stored.id, stored.logo_file_id),
    status,
  }
}
