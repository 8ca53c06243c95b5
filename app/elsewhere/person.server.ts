/** Reads who is signed in from another server's GET /users/me, and derives what it leaves out. */

import { type Actor, type GeneralRole, ROLES, type Role } from '#app/domain/access/actor.ts'
import { hasMoreThanOneSubTenant, heldRoles, isAdmin } from '#app/domain/access/tenancy.ts'
import { mapped } from '#app/domain/fields.ts'
import { canonicalTimeZone } from '#app/domain/tenants/timezone.ts'
import { fullName } from '#app/domain/text/full-name.ts'
import type { CurrentUser } from '#app/domain/users/current-user.ts'
import { PERSON } from '#app/domain/users/person.ts'
import { first, id, list, oneOf, type Thing, text, thing, yes } from './read.server.ts'
import { customerTypeOf, logoOf } from './tenants.server.ts'

export type Whereabouts = {
  tenant_id: string | null
  impersonated: Named | null
  sub_tenant: Named | null
}
export type Named = { id: string; name: string }

export type Person = { user: CurrentUser; actor: Actor; should_enter_subtenant: boolean; tenant_id: string }

export function readPerson(sent: unknown, where: Whereabouts): Person | null {
  const me = thing(sent)
  const user_id = id(me.id)
  if (user_id === null) return null
  const general_roles = list(me.user_general_roles).map(thing)
  const home = thing(me.tenant)
  const tenant_id = id(home.id) ?? id(me.tenant) ?? id(me.tenant_id) ?? where.tenant_id
  if (tenant_id === null) return null
  const is_super_admin = yes(me.is_super_admin) || general_roles.some(({ role }) => role === 'super_admin')
  const is_impersonating = is_super_admin && where.impersonated !== null
  const current_tenant_id = (is_impersonating && where.impersonated?.id) || tenant_id
  const sub_tenant_id = where.sub_tenant?.id ?? null
  const held = general_roles.flatMap((one) => readRole(one, tenant_id))
  const actor: Actor = {
    // Ids of another server may be text; nothing here calculates with them.
    user_id: user_id as unknown as number,
    email: emailOf(me),
    home_tenant_id: tenant_id,
    tenant_id: current_tenant_id,
    sub_tenant_id,
    roles: rolesOf(held, { is_super_admin, is_impersonating, tenant_id: current_tenant_id, sub_tenant_id }),
    general_roles: held,
    is_super_admin,
    is_impersonating,
  }
  const should_enter_subtenant = sub_tenant_id === null && !is_super_admin && yes(me.should_enter_subtenant)
  return {
    user: readUser(me, actor, where, should_enter_subtenant),
    actor,
    should_enter_subtenant,
    tenant_id,
  }
}

const emailOf = (me: Thing): string => text(first(me, 'email', 'work_email')) ?? ''

function readRole(sent: Thing, home: string): GeneralRole[] {
  const role = oneOf(['admin', 'author', 'user'], sent.role)
  return role ? [{ role, tenant_id: id(sent.tenant_id) ?? home, sub_tenant_id: id(sent.sub_tenant_id) }] : []
}

type ActorScope = Pick<Actor, 'is_super_admin' | 'is_impersonating' | 'tenant_id' | 'sub_tenant_id'>

/** The roles in force: for the current tenant and, where one is selected, the sub-tenant. */
function rolesOf(
  held: GeneralRole[],
  { is_super_admin, is_impersonating, tenant_id, sub_tenant_id }: ActorScope,
) {
  const here = held.filter(
    (one) =>
      one.tenant_id === tenant_id &&
      (one.sub_tenant_id === null || sub_tenant_id === null || one.sub_tenant_id === sub_tenant_id),
  )
  const roles = new Set<Role>(here.map(({ role }) => role))
  if (is_super_admin) roles.add('super_admin')
  if (is_impersonating) roles.add('admin')
  return ROLES.filter((role) => roles.has(role))
}

function readUser(me: Thing, actor: Actor, where: Whereabouts, should_enter_subtenant: boolean): CurrentUser {
  const fields = mapped(PERSON, () => null) as Record<keyof typeof PERSON, string | null>
  for (const name of Object.keys(fields) as (keyof typeof PERSON)[]) fields[name] = text(me[name])
  const first_name = fields.first_name ?? ''
  const last_name = fields.last_name ?? ''
  const home = thing(me.tenant)
  const timezone = zoneOf(first(home, 'timezone', 'timeZone', 'time_zone'))
  const current = readNamed(me.current_tenant, actor.tenant_id)
  const here = actor.is_impersonating ? where.impersonated : null
  return {
    ...fields,
    id: actor.user_id as number,
    email: actor.email ?? '',
    first_name,
    last_name,
    timezone: fields.timezone && canonicalTimeZone(fields.timezone),
    name: text(me.name) ?? fullName({ first_name, last_name }),
    user_general_roles: [...actor.general_roles],
    accept_terms_and_conditions: yes(me.accept_terms_and_conditions),
    roles: should_enter_subtenant ? heldRoles(actor) : [...actor.roles],
    activation_status: oneOf(['invited', 'active', 'disabled'], me.activation_status) ?? 'active',
    tenant: {
      ...(readNamed(home, actor.home_tenant_id) ?? nameless(actor.home_tenant_id)),
      customer_type: customerTypeOf(home.customer_type),
      timezone,
    },
    current_tenant: {
      ...(current ?? readNamed(home, actor.tenant_id) ?? nameless(actor.tenant_id, here?.name)),
      // A server that does not say leaves both possible.
      customer_type: customerTypeOf(
        actor.is_impersonating
          ? (thing(me.current_tenant).customer_type ?? 'Multi Tenant')
          : home.customer_type,
      ),
      timezone,
      llj_categories: [],
      clock_ahead_ms: 0,
    },
    current_sub_tenant: where.sub_tenant && {
      ...nameless(where.sub_tenant.id, where.sub_tenant.name),
      timezone: null,
    },
    is_super_admin: actor.is_super_admin,
    is_impersonating: actor.is_impersonating,
    sms_opt_in: yes(me.sms_opt_in),
    should_enter_subtenant,
    is_admin: isAdmin(actor),
    hasMoreThanOneSubTenant: hasMoreThanOneSubTenant(actor),
    subTenantId: actor.sub_tenant_id,
    is_sponsor: yes(me.is_sponsor),
    is_testing_tenant: false,
    authors_may_create_drafts: false,
    sign_in_links: false,
    lock_version: 0,
  }
}

/** Null when it is not the wanted one. */
function readNamed(sent: unknown, wanted: string) {
  const place = thing(sent)
  if (id(place.id) !== wanted) return null
  const status = oneOf(['active', 'inactive'], place.status) ?? 'active'
  return { id: wanted, name: text(place.name) ?? 'Your company', logo: logoOf(place.logo), status }
}

const nameless = (of: string, name = 'Your company') =>
  ({ id: of, name, logo: null, status: 'active' }) as const

const zoneOf = (sent: unknown): string => canonicalTimeZone(text(sent) ?? '') ?? 'UTC'

/** Why a person has no access, if so: their account, or the company they are in, is inactive. */
export function whyOut({ user }: Person): 'account_disabled' | 'tenant_inactive' | null {
  if (user.activation_status === 'disabled') return 'account_disabled'
  return user.current_tenant.status === 'inactive' ? 'tenant_inactive' : null
}
