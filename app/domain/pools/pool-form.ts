/** The form of a tenant's sign-in: what an input can hold, and how it becomes what the API takes. */
import { z } from 'zod'
import { ENTRANCES } from '../authenticator/state.ts'
import { LOGIN_MODES, POOL_KINDS, type PoolInput, type TenantPool } from './pool.ts'
import { RECOGNITIONS, SOCIAL_NAMES } from './settings.ts'

const Line = z.string().trim().max(400).default('')

export const PoolForm = z.object({
  kind: z.enum(POOL_KINDS, { error: 'This field is required' }),
  login_mode: z.enum(LOGIN_MODES).default('redirect'),
  issuer: Line,
  client_id: Line,
  client_secret: z.string().max(1000).default(''),
  remove_secret: z.boolean().default(false),
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
  initial_screen: z.enum(ENTRANCES).default('signIn'),
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
  const { kind, login_mode, issuer, client_id, client_secret, remove_secret } = form
  const { social_providers, recognise_by_email, allow_sign_up, initial_screen } = form
  return {
    kind,
    login_mode,
    issuer,
    client_id,
    ...Object.fromEntries(OPTIONAL.flatMap((name) => (form[name] ? [[name, form[name]]] : []))),
    ...(client_secret ? { client_secret } : remove_secret ? { client_secret: null } : {}),
    scopes: form.scopes.split(/[\s,]+/).filter(Boolean),
    social_providers,
    recognise_by_email,
    allow_sign_up,
    initial_screen,
  }
}

export function toPoolFields(pool: TenantPool): Omit<PoolForm, 'client_secret' | 'remove_secret'> {
  const optional = Object.fromEntries(OPTIONAL.map((name) => [name, pool[name] ?? '']))
  return {
    ...(optional as Record<(typeof OPTIONAL)[number], string>),
    kind: pool.kind,
    login_mode: pool.login_mode,
    issuer: pool.issuer,
    client_id: pool.client_id,
    scopes: pool.scopes.join(' '),
    social_providers: pool.social_providers,
    recognise_by_email: pool.recognise_by_email,
    allow_sign_up: pool.allow_sign_up,
    initial_screen: pool.initial_screen,
  }
}
