/** How a tenant signs in, changed by a super admin. Each tenant that does not use the shared pool has its own row. */
import { sql } from 'kysely'
import { isOperator } from '#app/domain/access/actor.ts'
import { recordChange } from '#app/domain/audit/audit.server.ts'
import { forbidden, notFound, stale } from '#app/domain/errors.ts'
import { keepDomains, listDomains } from '#app/domain/pools/email-domains.server.ts'
import { hasOwnScreens, type PoolInput, type TenantPool } from '#app/domain/pools/pool.ts'
import { askOnce } from '#app/domain/scope/ask-once.server.ts'
import { type Scope, withinTenant } from '#app/domain/scope/scope.server.ts'
import { unlessTaken } from '#app/domain/unique-violation.server.ts'
import { discover } from './pool-discovery.server.ts'
import {
  connectionOf,
  isElsewhere,
  rulesOf,
  secretOf,
  settingsOf,
  toTenantPool,
} from './pool-settings.server.ts'
import { isShared, requireSound } from './pool-sound.server.ts'
import { DEFAULT_POOL, findRawPool, type Pool, toRawPool } from './pools.server.ts'

export async function getTenantPool(scope: Scope, tenant_id: string): Promise<TenantPool> {
  const { tenant, pool } = await findPoolOf(scope, tenant_id)
  return toTenantPool(tenant, pool, await withinTenant(scope, tenant_id, listDomains))
}

export async function updateTenantPool(
  scope: Scope,
  tenant_id: string,
  wish: PoolInput,
): Promise<TenantPool> {
  const { tenant } = await findPoolOf(scope, tenant_id)
  requireSound(wish)
  const { input, names_itself } = await askProvider(scope, tenant_id, wish)
  const before = await lockPoolOf(scope, tenant_id)
  const was = toTenantPool(tenant, before, await withinTenant(scope, tenant_id, listDomains))
  if (wish.version !== undefined && wish.version !== was.version)
    throw stale(was, await imagineTenantPool(scope, tenant, input))
  const after = isShared(input)
    ? await readPool(scope, DEFAULT_POOL)
    : await keepOwnPool(scope, tenant_id, input, names_itself)

  return withinTenant(scope, tenant_id, async (inner) => {
    await keepDomains(inner, input.domains)
    await inner.db.updateTable('tenants').set({ pool_id: after.id }).where('id', '=', tenant_id).execute()
    if (after.kind === 'embedded' && before.id !== after.id) await moveAccounts(inner, after.id)
    // People who signed in at the previous provider sign in at the new one, at their next request.
    if (before.id === after.id && isElsewhere(before, after)) await inner.db.deleteFrom('sessions').execute()
    const { kind, login_mode, issuer, client_id, settings } = after
    const { allow_sign_up, domains } = input
    const rules = hasOwnScreens(input) ? { ...rulesOf(settings), allow_sign_up } : {}
    const client_secret = input.client_secret === undefined ? 'kept' : input.client_secret ? 'new' : 'none'
    const now = { kind, login_mode, issuer, client_id, domains, ...rules }
    const changed = { client_secret, before: was, after: now }
    await recordChange(inner, 'tenant.pool_updated', { type: 'tenant', id: tenant_id }, changed)
    return toTenantPool(tenant, after, await listDomains(inner))
  })
}

/** The pool as stored now; another change of the tenant's sign-in waits. */
async function lockPoolOf(scope: Scope, tenant_id: string): Promise<Pool> {
  const { pool_id } = await withinTenant(scope, tenant_id, ({ db }) =>
    db
      .selectFrom('tenants')
      .select('pool_id')
      .where('id', '=', tenant_id)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow(),
  )
  return readPool(scope, pool_id)
}

/** What would be stored; with a secret it equals nothing, as nobody can see whether that is the stored one. */
async function imagineTenantPool(scope: Scope, tenant: TenantPool['tenant'], input: PoolInput) {
  const pool = isShared(input)
    ? await readPool(scope, DEFAULT_POOL)
    : await imaginePool(scope, tenant.id, input)
  const { client_secret } = input
  return { ...toTenantPool(tenant, pool, [...input.domains].sort()), client_secret }
}

/** Moves accounts from one embedded pool to another; nobody needs a new password. */
async function moveAccounts({ db }: Scope, pool_id: string): Promise<void> {
  const why = 'Someone else has an account there with the address of one of its people.'
  await unlessTaken({ users_pool_id_username_key: ['kind', why] }, () =>
    sql`select move_accounts(${pool_id})`.execute(db),
  )
}

/** The pool as it would be after saving, for a test; uses the stored secret where none was sent. */
export async function imaginePool(scope: Scope, tenant_id: string, input: PoolInput): Promise<Pool> {
  const stored = await requirePoolOf(scope, tenant_id)
  const id = ownPoolId(tenant_id, input)
  const own = stored.id === id ? stored : await findRawPool(scope.db, id)
  const client_secret_sealed = secretOf(id, input) ?? null
  const row = { id, name: '', is_default: false, created_on: new Date() }
  return {
    ...row,
    kind: input.kind,
    login_mode: input.login_mode,
    issuer: input.issuer,
    client_id: input.client_id,
    client_secret_sealed:
      input.client_secret === undefined ? (own?.client_secret_sealed ?? null) : client_secret_sealed,
    settings: settingsOf(tenant_id, input),
  }
}

/** Adds what the provider's discovery says; while it is away, what is already known, or defaults. */
async function askProvider(scope: Scope, tenant_id: string, input: PoolInput) {
  if (input.kind !== 'oidc') return { input }
  const { discovered, names_itself } = await discover(await imaginePool(scope, tenant_id, input))
  const token_auth_method =
    input.token_auth_method ?? discovered.token_auth_method ?? ('client_secret_basic' as const)
  const known = await findRawPool(scope.db, ownPoolId(tenant_id, input))
  const named_itself =
    known?.issuer === input.issuer && known.settings.authorization_response_iss_parameter_supported
  return { input: { ...input, token_auth_method }, names_itself: names_itself ?? named_itself ?? false }
}

/** A tenant's embedded accounts keep their own pool while the tenant tries a provider elsewhere. */
const ownPoolId = (tenant_id: string, { kind }: PoolInput) =>
  `${kind === 'embedded' ? 'own' : 'tenant'}-${tenant_id}`

export const requirePoolOf = async (scope: Scope, tenant_id: string): Promise<Pool> =>
  (await findPoolOf(scope, tenant_id)).pool

/** The pool of a tenant, for super admins of the operator only. */
async function findPoolOf(scope: Scope, id: string): Promise<{ tenant: TenantPool['tenant']; pool: Pool }> {
  if (!isOperator(scope.actor)) throw forbidden()
  const found = await askOnce(scope, ['pool of tenant', id], () =>
    scope.db
      .selectFrom('tenants')
      .innerJoin('pools', 'pools.id', 'tenants.pool_id')
      .select(['tenants.is_operator', 'tenants.name as tenant_name'])
      .selectAll('pools')
      .where('tenants.id', '=', id)
      .where('tenants.deleted_on', 'is', null)
      .executeTakeFirst(),
  )
  if (!found) throw notFound()
  const { is_operator, tenant_name: name, ...pool } = found
  // Nobody may lock themselves out of the platform by changing the operator's own sign-in.
  if (is_operator) throw forbidden('The sign-in of the company that runs the platform is not changed here.')
  return { tenant: { id, name }, pool: toRawPool(pool) }
}

async function readPool({ db }: Scope, id: string): Promise<Pool> {
  return toRawPool(await db.selectFrom('pools').selectAll().where('id', '=', id).executeTakeFirstOrThrow())
}

async function keepOwnPool(
  { db }: Scope,
  tenant_id: string,
  input: PoolInput,
  names_itself = false,
): Promise<Pool> {
  const id = ownPoolId(tenant_id, input)
  const values = {
    ...connectionOf(id, input),
    settings: JSON.stringify({
      ...settingsOf(tenant_id, input),
      ...(names_itself ? { authorization_response_iss_parameter_supported: true } : {}),
    }),
  }
  const row = await db
    .insertInto('pools')
    .values({ id, name: sql<string>`(select name::text from tenants where id = ${tenant_id})`, ...values })
    .onConflict((clash) => clash.column('id').doUpdateSet(values))
    .returningAll()
    .executeTakeFirstOrThrow()
  return toRawPool(row)
}
