/** How the people of a tenant sign in, as a super admin configures it. Safe for the browser. */
import { z } from 'zod'
import { line, REQUIRED } from '../text/text.ts'
import { EmailDomain } from './email-domain.ts'
import { PoolVersion, ScreenRules, SHORTEST_PASSWORD } from './screen-rules.ts'
import { PoolEndpoints, RECOGNITIONS, SOCIAL_NAMES, TOKEN_AUTH_METHODS } from './settings.ts'

export const POOL_KINDS = ['embedded', 'cognito', 'oidc'] as const
export const LOGIN_MODES = ['screens', 'redirect'] as const

const Text = line(400)
const Address = z
  .url({ protocol: /^https?$/, error: 'Please enter a full address, beginning with https://' })
  .max(400)

/** For an embedded pool of its own, the rules of its screens; those of the shared pool are set for the platform. */
export const PoolInput = ScreenRules.extend({
  kind: z.enum(POOL_KINDS),
  /** For an embedded pool: shared with other companies, or only for this one. */
  is_shared: z.boolean().default(true),
  /** Domains that belong to this company alone: all of their addresses, known or not, lead to this sign-in. */
  domains: z.array(EmailDomain).max(50).default([]),
  login_mode: z.enum(LOGIN_MODES).default('redirect'),
  issuer: Text.default(''),
  client_id: Text.default(''),
  /** Left out, the stored secret stays; null removes it. It is never returned. */
  client_secret: z.string().min(1).max(1000).nullish(),
  /** Left out, the provider's preferred method is looked up when the pool is saved. */
  token_auth_method: z.enum(TOKEN_AUTH_METHODS).nullish(),
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
  /** Whether people can sign up there by themselves, and join this tenant. */
  allow_sign_up: z.boolean().default(false),
  version: PoolVersion.optional(),
})
export type PoolInput = z.infer<typeof PoolInput>

export const TenantPool = PoolInput.omit({ client_secret: true }).extend({
  version: PoolVersion,
  id: z.string(),
  tenant: z.object({ id: z.string(), name: z.string() }),
  has_client_secret: z.boolean(),
  /** Redirect URI, to be registered at the provider. */
  redirect_uri: z.string(),
  logout_uri: z.string(),
  /** A link to hand out: a sign-in from here is at this company's provider, whatever the address. */
  start_uri: z.string(),
})
export type TenantPool = z.infer<typeof TenantPool>

export const PoolReport = z.object({
  ok: z.boolean(),
  checks: z.array(z.object({ ok: z.boolean(), text: z.string() })),
  discovered: PoolEndpoints.extend({
    issuer: z.string().optional(),
    token_auth_method: z.enum(TOKEN_AUTH_METHODS).optional(),
  }),
})
export type PoolReport = z.infer<typeof PoolReport>

type Connection = Pick<
  PoolInput,
  | 'kind'
  | 'login_mode'
  | 'issuer'
  | 'client_id'
  | 'domain'
  | 'authorization_endpoint'
  | 'token_endpoint'
  | 'jwks_uri'
  | 'social_providers'
>

/** Why a pool cannot be reached with this input, by field. */
export function whatIsMissing(input: Connection): Record<string, string[]> {
  if (input.kind === 'embedded') return {}
  const needed: (keyof Connection)[] = ['issuer', 'client_id']
  if (input.kind === 'oidc') needed.push('authorization_endpoint', 'token_endpoint', 'jwks_uri')
  else if (lacksHostedPages(input)) needed.push('domain')
  const missing = Object.fromEntries(needed.filter((name) => !input[name]).map((name) => [name, [REQUIRED]]))
  const { issuer } = input
  if (issuer && (!/^https?:\/\/[^/?#]+[^?#]*$/.test(issuer) || !URL.canParse(issuer)))
    missing.issuer = ['Please enter a full address, beginning with https://']
  return missing
}

/** Amazon's issuers have no pages themselves, and social buttons lead to pages, too. */
const lacksHostedPages = (input: Connection): boolean =>
  /^https:\/\/cognito-idp\.[^/]+\.amazonaws\.com\//.test(input.issuer) &&
  (input.login_mode === 'redirect' || input.social_providers.length > 0) &&
  !(input.authorization_endpoint && input.token_endpoint)

/** Whether its people sign in on our own screens, with our own rules. */
export const hasOwnScreens = ({
  kind,
  login_mode,
  is_shared,
}: Pick<PoolInput, 'kind' | 'login_mode' | 'is_shared'>) =>
  kind === 'embedded' ? !is_shared : kind === 'cognito' && login_mode === 'screens'

/** Our own provider never accepts short passwords; a Cognito pool has its own policy. */
export function whatIsTooWeak({
  kind,
  password_policy,
}: Pick<PoolInput, 'kind' | 'password_policy'>): Record<string, string[]> {
  const isWeak = kind === 'embedded' && password_policy.min_length < SHORTEST_PASSWORD
  return isWeak ? { 'password_policy.min_length': [`Please enter at least ${SHORTEST_PASSWORD}`] } : {}
}
