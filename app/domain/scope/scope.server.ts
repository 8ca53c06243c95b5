/** The only access to the data: one transaction, one actor, and row-level security that shows only the rows of their place. */
import { type Kysely, sql, type Transaction } from 'kysely'
import type { DB } from '#app/db/schema.ts'
import { type Actor, isOperator } from '../access/actor.ts'
import { endViews, markReadOnly, openView, type Settings, viewFrom } from './scoped-transaction.server.ts'

export type Database = Kysely<DB>
export type Scope = { readonly actor: Actor; readonly db: Transaction<DB> }

export function inScope<Result>(
  database: Database,
  actor: Actor,
  work: (scope: Scope) => Promise<Result>,
): Promise<Result> {
  return database.transaction().execute((db) => scopeIn(db, actor, work))
}

/** Like `inScope`, for long reads that must not see concurrent changes. */
export function inSnapshot<Result>(
  database: Database,
  actor: Actor,
  work: (scope: Scope) => Promise<Result>,
): Promise<Result> {
  return database
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute((db) => scopeThatReads(db, actor, work))
}

/** Like `scopeIn`, for a read-only transaction: `askOnce` caches answers. */
export const scopeThatReads: typeof scopeIn = (db, actor, work, begins) =>
  scopeIn(
    db,
    actor,
    (scope) => {
      markReadOnly(scope.db)
      return work(scope)
    },
    begins,
  )

/** Runs work in a scope of a transaction that has begun. */
export async function scopeIn<Result>(
  db: Transaction<DB>,
  actor: Actor,
  work: (scope: Scope) => Promise<Result>,
  begins?: 'from home',
): Promise<Result> {
  const scope = await openScope(db, actor, begins)
  try {
    return await work(scope)
  } finally {
    endViews(scope.db)
  }
}

/** The same transaction, inside one tenant: how an operator works on a tenant's own rows. */
export function withinTenant<Result>(
  scope: Scope,
  tenantId: string,
  work: (inner: Scope) => Promise<Result>,
): Promise<Result> {
  const wide = { tenant_id: tenantId, sub_tenant_id: null, as_participant: false }
  return workAs(scope, { ...scope.actor, ...wide }, work)
}

/** The same transaction, outside every sub-tenant: for work in one sub-tenant that affects people in another. */
export function tenantWide<Result>(scope: Scope, work: (inner: Scope) => Promise<Result>): Promise<Result> {
  const { tenant_id, sub_tenant_id, as_participant } = scope.actor
  return sub_tenant_id === null && !as_participant ? work(scope) : withinTenant(scope, tenant_id, work)
}

/**
 * As a participant without any role: people see their own occurrences and answers, in journeys of every sub-tenant.
 */
export function asParticipant<Result>(
  scope: Scope,
  work: (inner: Scope) => Promise<Result>,
): Promise<Result> {
  return workAs(scope, { ...scope.actor, roles: [], as_participant: true }, work)
}

/** The same transaction in the person's home tenant, outside an impersonated one. */
export function atHome<Result>(scope: Scope, work: (inner: Scope) => Promise<Result>): Promise<Result> {
  const { actor } = scope
  if (!actor.is_impersonating) return work(scope)
  return workAs(scope, actorAtHome(actor), work)
}

const actorAtHome = (actor: Actor): Actor => ({
  ...actor,
  ...{ tenant_id: actor.home_tenant_id, sub_tenant_id: null, is_impersonating: false },
})

/** The same transaction, as an actor of the same tenant with other roles or in another sub-tenant. */
export const actAs = <Result>(scope: Scope, actor: Actor, work: (inner: Scope) => Promise<Result>) =>
  workAs(scope, { ...actor, tenant_id: scope.actor.tenant_id }, work)

const workAs = async <Result>(scope: Scope, actor: Actor, work: (inner: Scope) => Promise<Result>) =>
  work({ actor, db: await viewFrom(scope.db, { settings: settingsOf(actor) }) })

/** The actor of the system within a tenant: jobs, the seed. */
export function systemActor(tenantId: string): Actor {
  return {
    user_id: null,
    email: null,
    home_tenant_id: tenantId,
    tenant_id: tenantId,
    sub_tenant_id: null,
    roles: ['admin'],
    general_roles: [],
    is_super_admin: false,
    is_impersonating: false,
  }
}

/** The actor of the system for the tenants as a whole: the seed, the first super admin. */
export function operatorActor(): Actor {
  return { ...systemActor(''), roles: ['super_admin', 'admin'], is_super_admin: true }
}

/**
 * Applies the settings immediately, with the current clock; `from home`: first those of a visitor's own company, where
 * a page begins.
 */
export const openScope = async (db: Transaction<DB>, actor: Actor, begins?: 'from home'): Promise<Scope> => ({
  actor,
  db: await openView(
    db,
    settingsOf(actor),
    begins && actor.is_impersonating ? settingsOf(actorAtHome(actor)) : undefined,
  ),
})

/** Everything that row-level security depends on: two actors with equal settings see the same rows. */
export const settingsOf = (actor: Actor): Settings => ({
  'app.tenant_id': actor.tenant_id,
  'app.sub_tenant_id': actor.sub_tenant_id ?? '',
  'app.user_id': actor.user_id === null ? '' : String(actor.user_id),
  'app.operator': isOperator(actor) ? 'on' : '',
  'app.participant': actor.as_participant ? 'on' : '',
})

/** The user of the scope, within a statement. */
export const scopeUser = sql<number>`nullif(current_setting('app.user_id', true), '')::bigint`
export const scopeTenant = sql<string>`scope_tenant()`
