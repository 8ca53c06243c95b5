/** The only door to the data: one transaction, one actor, and Postgres shows the rows of their place alone. */
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

/** As `inScope`, for what reads for a while and must not see what changes meanwhile. */
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

/** As `scopeIn`, of a transaction that is read-only: the same is asked once. */
export const scopeThatReads: typeof scopeIn = (db, actor, work) =>
  scopeIn(db, actor, (scope) => {
    markReadOnly(scope.db)
    return work(scope)
  })

/** The scope of a transaction that has begun, as long as the work lasts. */
export async function scopeIn<Result>(
  db: Transaction<DB>,
  actor: Actor,
  work: (scope: Scope) => Promise<Result>,
): Promise<Result> {
  const scope = await openScope(db, actor)
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

/** The same transaction, outside every sub-tenant: for what one of them settles for whoever is in another. */
export function tenantWide<Result>(scope: Scope, work: (inner: Scope) => Promise<Result>): Promise<Result> {
  const { tenant_id, sub_tenant_id, as_participant } = scope.actor
  return sub_tenant_id === null && !as_participant ? work(scope) : withinTenant(scope, tenant_id, work)
}

/** As somebody who takes part, without a role: wherever journeys belong, they see their own turns and answers. */
export function asParticipant<Result>(
  scope: Scope,
  work: (inner: Scope) => Promise<Result>,
): Promise<Result> {
  return workAs(scope, { ...scope.actor, roles: [], as_participant: true }, work)
}

/** The same transaction, where the person belongs: outside the tenant that is impersonated. */
export function atHome<Result>(scope: Scope, work: (inner: Scope) => Promise<Result>): Promise<Result> {
  const { actor } = scope
  if (!actor.is_impersonating) return work(scope)
  const home = { tenant_id: actor.home_tenant_id, sub_tenant_id: null, is_impersonating: false }
  return workAs(scope, { ...actor, ...home }, work)
}

/** The same transaction, as an actor of the same tenant who holds other roles or stands elsewhere in it. */
export const actAs = <Result>(scope: Scope, actor: Actor, work: (inner: Scope) => Promise<Result>) =>
  workAs(scope, { ...actor, tenant_id: scope.actor.tenant_id }, work)

const workAs = async <Result>(scope: Scope, actor: Actor, work: (inner: Scope) => Promise<Result>) =>
  work({ actor, db: await viewFrom(scope.db, { settings: settingsOf(actor) }) })

/** What the system does by itself in a tenant: jobs, the seed. */
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

/** What the system does by itself to the tenants as a whole: the seed, the first super admin. */
export function operatorActor(): Actor {
  return { ...systemActor(''), roles: ['super_admin', 'admin'], is_super_admin: true }
}

/** Set at once, with the clock as it is now. */
export const openScope = async (db: Transaction<DB>, actor: Actor): Promise<Scope> => ({
  actor,
  db: await openView(db, settingsOf(actor)),
})

/** All that decides which rows there are: two actors of the same settings see the same. */
export const settingsOf = (actor: Actor): Settings => ({
  'app.tenant_id': actor.tenant_id,
  'app.sub_tenant_id': actor.sub_tenant_id ?? '',
  'app.user_id': actor.user_id === null ? '' : String(actor.user_id),
  'app.operator': isOperator(actor) ? 'on' : '',
  'app.participant': actor.as_participant ? 'on' : '',
})

/** In a statement: whose scope it is asked in. */
export const scopeUser = sql<number>`nullif(current_setting('app.user_id', true), '')::bigint`
export const scopeTenant = sql<string>`scope_tenant()`
