/** A tenant's way to sign in, changed by a super admin. Each tenant that is not on the shared pool has a row of its own. */
import { sql } from 'kysely'
import { getConfig } from '#app/config.server.ts'
import { isOperator } from '#app/domain/access/actor.ts'
import { record } from '#app/domain/audit/audit.server.ts'
import { forbidden, invalid, notFound } from '#app/domain/errors.ts'
import { type PoolInput, type TenantPool, whatIsMissing } from '#app/domain/pools/pool.ts'
import { PoolSettings } from '#app/domain/pools/settings.ts'
import { type Scope, withinTenant } from '#app/domain/scope.server.ts'
import { OutsideError, requireOutside } from './outside.server.ts'
import { DEFAULT_POOL, findRawPool, type Pool, poolSecretContext, toRawPool } from './pools.server.ts'
import { seal } from './seal.server.ts'

const ADDRESSES = [
  'authorization_endpoint',
  'token_endpoint',
  'revocation_endpoint',
  'end_session_endpoint',
  'jwks_uri',
  'domain',
  'api_endpoint',
] as const

export async function getTenantPool(scope: Scope, tenant_id: string): Promise<TenantPool> {
  return toTenantPool(await poolOf(scope, tenant_id))
}

export async function updateTenantPool(
  scope: Scope,
  tenant_id: string,
  input: PoolInput,
): Promise<TenantPool> {
  const before = await poolOf(scope, tenant_id)
  requireSound(input)
  const after =
    input.kind === 'embedded'
      ? await readPool(scope, DEFAULT_POOL)
      : await keepOwnPool(scope, tenant_id, input)

  await withinTenant(scope, tenant_id, async (inner) => {
    await inner.db.updateTable('tenants').set({ pool_id: after.id }).where('id', '=', tenant_id).execute()
    // Whoever signed in by another way is asked by this one at the next request.
    if (before.id === after.id && isElsewhere(before, after)) await inner.db.deleteFrom('sessions').execute()
    await record(
      inner,
      'tenant.pool_updated',
      { type: 'tenant', id: tenant_id },
      {
        kind: after.kind,
        login_mode: after.login_mode,
        issuer: after.issuer,
        client_id: after.client_id,
        client_secret: input.client_secret === undefined ? 'kept' : input.client_secret ? 'new' : 'none',
      },
    )
  })
  return toTenantPool(after)
}

/** The pool as it would be, with the stored secret where none was sent: for a test. */
export async function imaginePool(scope: Scope, tenant_id: string, input: PoolInput): Promise<Pool> {
  const stored = await poolOf(scope, tenant_id)
  const id = ownPoolId(tenant_id)
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

const ownPoolId = (tenant_id: string) => `tenant-${tenant_id}`

async function poolOf(scope: Scope, tenant_id: string): Promise<Pool> {
  if (!isOperator(scope.actor)) throw forbidden()
  const tenant = await scope.db
    .selectFrom('tenants')
    .select(['pool_id', 'is_operator'])
    .where('id', '=', tenant_id)
    .where('deleted_on', 'is', null)
    .executeTakeFirst()
  if (!tenant) throw notFound()
  // Whoever configures the way in of others must not lock the own door.
  if (tenant.is_operator)
    throw forbidden('The sign-in of the company that runs the platform is not changed here.')
  return readPool(scope, tenant.pool_id)
}

/** One that is there: the default one, or the one that a tenant names. */
async function readPool({ db }: Scope, id: string): Promise<Pool> {
  return toRawPool(await db.selectFrom('pools').selectAll().where('id', '=', id).executeTakeFirstOrThrow())
}

function requireSound(input: PoolInput): void {
  const wrong = whatIsMissing(input)
  if (input.kind !== 'embedded') {
    for (const name of ['issuer', ...ADDRESSES] as const) {
      const why = input[name] ? whyNotOutside(input[name]) : null
      if (why) wrong[name] ??= [why]
    }
    if (input.issuer.startsWith(`${getConfig().PUBLIC_ORIGIN}/`))
      wrong.issuer = ['This is our own provider: choose the embedded one.']
  }
  if (Object.keys(wrong).length > 0) throw invalid(wrong)
}

function whyNotOutside(address: string): string | null {
  try {
    requireOutside(address)
    return null
  } catch (error) {
    if (error instanceof OutsideError) return error.message
    throw error
  }
}

async function keepOwnPool({ db }: Scope, tenant_id: string, input: PoolInput): Promise<Pool> {
  const id = ownPoolId(tenant_id)
  const { kind, login_mode, issuer, client_id } = input
  const client_secret_sealed = secretOf(id, input)
  const values = {
    kind,
    // Any other provider has pages of its own, and no others.
    login_mode: kind === 'oidc' ? 'redirect' : login_mode,
    issuer,
    client_id,
    settings: JSON.stringify(settingsOf(tenant_id, input)),
    ...(client_secret_sealed === undefined ? {} : { client_secret_sealed }),
  }
  const row = await db
    .insertInto('pools')
    .values({ id, name: sql<string>`(select name::text from tenants where id = ${tenant_id})`, ...values })
    .onConflict((clash) =>
      clash.column('id').doUpdateSet({
        ...values,
        // What the form does not ask about (the provider's password rules, say) stays.
        settings: sql`(pools.settings - ${Object.keys(PoolSettings.shape)}::text[]) || excluded.settings`,
      }),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
  return toRawPool(row)
}

/** Undefined: as it is. */
function secretOf(id: string, { client_secret }: PoolInput): string | null | undefined {
  if (client_secret === undefined || client_secret === null) return client_secret
  return seal(client_secret, poolSecretContext(id))
}

function settingsOf(tenant_id: string, input: PoolInput): PoolSettings {
  const { scopes, audience, social_providers, recognise_by_email, initial_screen } = input
  const isCognito = input.kind === 'cognito'
  const addresses = ADDRESSES.flatMap((name) => (input[name] ? [[name, input[name]]] : []))
  return {
    ...Object.fromEntries(addresses),
    ...(scopes.length > 0 ? { scopes } : {}),
    ...(audience ? { audience } : {}),
    social_providers: isCognito ? social_providers : [],
    recognise_by_email,
    sign_up: isCognito && input.allow_sign_up ? { tenant_id } : null,
    initial_screen,
  }
}

const isElsewhere = (before: Pool, after: Pool) =>
  before.kind !== after.kind || before.issuer !== after.issuer || before.client_id !== after.client_id

function toTenantPool({ id, kind, login_mode, issuer, client_id, ...pool }: Pool): TenantPool {
  const { settings, client_secret_sealed } = pool
  const { sign_up, ...rest } = settings
  const origin = getConfig().PUBLIC_ORIGIN
  return {
    ...rest,
    allow_sign_up: sign_up !== null,
    scopes: settings.scopes ?? [],
    id,
    kind,
    login_mode,
    issuer: kind === 'embedded' ? '' : issuer,
    client_id: kind === 'embedded' ? '' : client_id,
    has_client_secret: client_secret_sealed !== null,
    redirect_uri: `${origin}/auth/callback`,
    logout_uri: `${origin}/login`,
  }
}
