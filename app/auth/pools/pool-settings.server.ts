/** Converts between what an administrator typed, what a pool stores, and what is shown of it. */
import { createHash } from 'node:crypto'
import { getConfig } from '#app/config.server.ts'
import { hasOwnScreens, type PoolInput, type TenantPool } from '#app/domain/pools/pool.ts'
import { ScreenRules } from '#app/domain/pools/screen-rules.ts'
import type { PoolSettings } from '#app/domain/pools/settings.ts'
import { seal } from '../seal.server.ts'
import { OWN_CLIENT, type Pool, poolSecretContext } from './pools.server.ts'

export const ADDRESSES = [
  'authorization_endpoint',
  'token_endpoint',
  'revocation_endpoint',
  'end_session_endpoint',
  'jwks_uri',
  'domain',
  'api_endpoint',
] as const

export function connectionOf(id: string, input: PoolInput) {
  const { kind, login_mode, issuer, client_id } = input
  if (kind === 'embedded')
    return {
      kind,
      login_mode: 'screens',
      issuer: `${getConfig().PUBLIC_ORIGIN}/idp/${id}`,
      client_id: OWN_CLIENT,
    }
  const client_secret_sealed = secretOf(id, input)
  return {
    kind,
    login_mode: kind === 'oidc' ? 'redirect' : login_mode,
    issuer,
    client_id,
    ...(client_secret_sealed === undefined ? {} : { client_secret_sealed }),
  }
}

export function secretOf(id: string, { client_secret }: PoolInput): string | null | undefined {
  if (client_secret === undefined || client_secret === null) return client_secret
  return seal(client_secret, poolSecretContext(id))
}

export function settingsOf(tenant_id: string, input: PoolInput): PoolSettings {
  const { scopes, audience, social_providers, recognise_by_email, token_auth_method } = input
  const { kind, allow_sign_up } = input
  const isCognito = kind === 'cognito'
  const addresses = ADDRESSES.flatMap((name) =>
    input[name] && kind !== 'embedded' ? [[name, input[name]]] : [],
  )
  return {
    ...Object.fromEntries(addresses),
    ...(scopes.length > 0 ? { scopes } : {}),
    ...(audience ? { audience } : {}),
    ...(token_auth_method ? { token_auth_method } : {}),
    social_providers: isCognito ? social_providers : [],
    recognise_by_email,
    sign_up: kind !== 'oidc' && allow_sign_up ? { tenant_id } : null,
    ...rulesOf(hasOwnScreens(input) ? input : ScreenRules.parse({})),
    reveals_users: kind === 'embedded' && input.reveals_users,
  }
}

export const rulesOf = ({
  initial_screen,
  required_attributes,
  password_policy,
  reveals_users,
}: ScreenRules) => ({
  initial_screen,
  required_attributes,
  password_policy,
  reveals_users,
})

export const isElsewhere = (before: Pool, after: Pool) =>
  before.kind !== after.kind || before.issuer !== after.issuer || before.client_id !== after.client_id

export const versionOf = (...stored: unknown[]): string =>
  createHash('sha256').update(JSON.stringify(stored)).digest('base64url')

export function toTenantPool(tenant: TenantPool['tenant'], pool: Pool, domains: string[]): TenantPool {
  const { id, kind, login_mode, issuer, client_id, settings, client_secret_sealed } = pool
  const { sign_up, authorization_response_iss_parameter_supported: _, ...rest } = settings
  const origin = getConfig().PUBLIC_ORIGIN
  return {
    ...rest,
    allow_sign_up: sign_up?.tenant_id === tenant.id,
    scopes: settings.scopes ?? [],
    id,
    tenant,
    kind,
    is_shared: pool.is_default,
    domains,
    login_mode,
    issuer: kind === 'embedded' ? '' : issuer,
    client_id: kind === 'embedded' ? '' : client_id,
    has_client_secret: client_secret_sealed !== null,
    redirect_uri: `${origin}/auth/callback`,
    logout_uri: `${origin}/login`,
    start_uri: `${origin}/auth/start/${id}`,
    // The shared pool has a page and a version of its own.
    version: pool.is_default
      ? versionOf(id, domains)
      : versionOf(id, kind, login_mode, issuer, client_id, settings, client_secret_sealed, domains),
  }
}
