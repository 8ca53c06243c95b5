/** The form of a tenant's sign-in: its fields, and their conversion to the body of the call. */
import { z } from 'zod'
import { REQUIRED } from '#app/domain/text/text.ts'
import { EmailDomain } from './email-domain.ts'
import { LOGIN_MODES, type PoolInput, type TenantPool } from './pool.ts'
import { PoolVersion, ScreenRules } from './screen-rules.ts'
import { RECOGNITIONS, SOCIAL_NAMES, TOKEN_AUTH_METHODS } from './settings.ts'

const Line = z.string().trim().max(400).default('')

/** One list of choices, in which our shared and our separate provider are two. */
export const WAYS = ['shared', 'embedded', 'cognito', 'oidc'] as const

/** One per line, or comma-separated. */
const Domains = z
  .string()
  .max(5000)
  .transform((typed) => [...new Set(typed.split(/[\s,;]+/).filter(Boolean))])
  .pipe(z.array(EmailDomain).max(50, 'Please enter 50 domains at most'))
  .default([])

export const PoolForm = ScreenRules.extend({
  kind: z.enum(WAYS, { error: REQUIRED }),
  domains: Domains,
  login_mode: z.enum(LOGIN_MODES).default('redirect'),
  issuer: Line,
  client_id: Line,
  client_secret: z.string().max(1000).default(''),
  remove_secret: z.boolean().default(false),
  token_auth_method: z.enum(TOKEN_AUTH_METHODS).optional(),
  authorization_endpoint: Line,
  token_endpoint: Line,
  jwks_uri: Line,
  revocation_endpoint: Line,
  end_session_endpoint: Line,
  domain: Line,
  api_endpoint: Line,
  scopes: Line,
  audience: Line,
  social_providers: z.array(z.enum(SOCIAL_NAMES)).default([]),
  recognise_by_email: z.enum(RECOGNITIONS).default('verified'),
  allow_sign_up: z.boolean().default(false),
  version: PoolVersion.optional(),
})
export type PoolForm = z.infer<typeof PoolForm>

const OPTIONAL = [
  'authorization_endpoint',
  'token_endpoint',
  'jwks_uri',
  'revocation_endpoint',
  'end_session_endpoint',
  'domain',
  'api_endpoint',
  'audience',
] as const

export function toPoolInput(form: PoolForm): PoolInput {
  const { kind: way, client_secret, remove_secret, scopes, ...rest } = form
  const addresses = Object.fromEntries(OPTIONAL.map((name) => [name, form[name] || undefined]))
  return {
    ...rest,
    ...addresses,
    kind: way === 'shared' ? 'embedded' : way,
    is_shared: way === 'shared',
    ...(client_secret ? { client_secret } : remove_secret ? { client_secret: null } : {}),
    scopes: scopes.split(/[\s,]+/).filter(Boolean),
  }
}

export function toPoolFields(pool: TenantPool) {
  const optional = Object.fromEntries(OPTIONAL.map((name) => [name, pool[name] ?? '']))
  const { kind, is_shared, login_mode, issuer, client_id, recognise_by_email, allow_sign_up } = pool
  const { initial_screen, required_attributes, password_policy, reveals_users, social_providers } = pool
  return {
    ...(optional as Record<(typeof OPTIONAL)[number], string>),
    kind: kind === 'embedded' && is_shared ? 'shared' : kind,
    login_mode,
    issuer,
    client_id,
    token_auth_method: pool.token_auth_method ?? undefined,
    scopes: pool.scopes.join(' '),
    domains: pool.domains.join('\n'),
    social_providers,
    recognise_by_email,
    allow_sign_up,
    initial_screen,
    required_attributes,
    password_policy,
    reveals_users,
    version: pool.version,
  }
}
