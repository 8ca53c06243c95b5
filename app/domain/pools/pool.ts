/** How the people of a tenant sign in, as a super admin configures it. Safe for the browser. */
import { z } from 'zod'
import { ENTRANCES } from '../authenticator/state.ts'
import { line } from '../text.ts'
import { PoolEndpoints, RECOGNITIONS, SOCIAL_NAMES } from './settings.ts'

export const POOL_KINDS = ['embedded', 'cognito', 'oidc'] as const
export const LOGIN_MODES = ['screens', 'redirect'] as const

const Text = line(400)
const Address = z
  .url({ protocol: /^https?$/, error: 'Please enter a full address, beginning with https://' })
  .max(400)

/** What may be set. Of an embedded pool, everything but its kind is the product's own. */
export const PoolInput = z.object({
  kind: z.enum(POOL_KINDS),
  login_mode: z.enum(LOGIN_MODES).default('redirect'),
  issuer: Text.default(''),
  client_id: Text.default(''),
  /** Left out, the one that is stored stays; null removes it. It is never shown again. */
  client_secret: z.string().min(1).max(1000).nullish(),
  domain: Address.nullish(),
  authorization_endpoint: Address.nullish(),
  token_endpoint: Address.nullish(),
  revocation_endpoint: Address.nullish(),
  end_session_endpoint: Address.nullish(),
  jwks_uri: Address.nullish(),
  api_endpoint: Address.nullish(),
  scopes: z
    .array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,100}$/, 'A scope is a word'))
    .max(20)
    .default([]),
  audience: Text.nullish(),
  social_providers: z.array(z.enum(SOCIAL_NAMES)).default([]),
  recognise_by_email: z.enum(RECOGNITIONS).default('verified'),
  /** On our screens over a Cognito pool: whether people may make an account there, and come into this tenant. */
  allow_sign_up: z.boolean().default(false),
  initial_screen: z.enum(ENTRANCES).default('signIn'),
})
export type PoolInput = z.infer<typeof PoolInput>

export const TenantPool = PoolInput.omit({ client_secret: true }).extend({
  id: z.string(),
  has_client_secret: z.boolean(),
  /** To be registered at the provider: where it sends people back to. */
  redirect_uri: z.string(),
  logout_uri: z.string(),
})
export type TenantPool = z.infer<typeof TenantPool>

/** What a test has found, in words; and what the provider says of its own addresses. */
export const PoolReport = z.object({
  ok: z.boolean(),
  checks: z.array(z.object({ ok: z.boolean(), text: z.string() })),
  discovered: PoolEndpoints.extend({ issuer: z.string().optional() }),
})
export type PoolReport = z.infer<typeof PoolReport>

/** How we reach the provider, without what our own screens ask. */
type Connection = Omit<PoolInput, 'allow_sign_up' | 'initial_screen'>

/** The reason for which a pool cannot be kept as it is, by field. */
export function whatIsMissing(
  input: Omit<PoolInput, 'allow_sign_up' | 'initial_screen'>,
): Record<string, string[]> {
  if (input.kind === 'embedded') return {}
  const needed: (keyof Connection)[] = ['issuer', 'client_id']
  if (input.kind === 'oidc') needed.push('authorization_endpoint', 'token_endpoint', 'jwks_uri')
  const missing = Object.fromEntries(
    needed.filter((name) => !input[name]).map((name) => [name, ['This field is required']]),
  )
  const { issuer } = input
  if (issuer && (!/^https?:\/\/[^/?#]+[^?#]*$/.test(issuer) || !URL.canParse(issuer)))
    missing.issuer = ['Please enter a full address, beginning with https://']
  return missing
}
