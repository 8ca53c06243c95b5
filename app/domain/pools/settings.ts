/** The settings in the row of a user pool, besides issuer and client. Safe for the browser. */
import { z } from 'zod'
import { PoolRules } from '../authenticator/pool-rules.ts'

const Address = z.url({ protocol: /^https?$/, error: 'Please enter a full address, beginning with https://' })

/** The social sign-in buttons of a pool, and Cognito's names of their providers. */
export const SOCIAL_PROVIDERS = {
  Amazon: 'LoginWithAmazon',
  Apple: 'SignInWithApple',
  Facebook: 'Facebook',
  Google: 'Google',
} as const
export const SOCIAL_NAMES = ['Amazon', 'Apple', 'Facebook', 'Google'] as const

export const PoolEndpoints = z.object({
  authorization_endpoint: Address.optional(),
  token_endpoint: Address.optional(),
  revocation_endpoint: Address.optional(),
  end_session_endpoint: Address.optional(),
  jwks_uri: Address.optional(),
})
export type PoolEndpoints = z.infer<typeof PoolEndpoints>

export const TOKEN_AUTH_METHODS = ['client_secret_basic', 'client_secret_post'] as const
export type TokenAuthMethod = (typeof TOKEN_AUTH_METHODS)[number]

/**
 * How an existing person of the tenant is recognized at the first sign-in. `any`: for the company's own providers.
 */
export const RECOGNITIONS = ['verified', 'any', 'never'] as const

/** Settings of an external pool; an embedded one needs none. */
export const PoolSettings = PoolEndpoints.extend({
  /** Cognito's hosted pages, if not at the issuer's own address. */
  domain: Address.optional(),
  /** Cognito's API, if not the region's default. */
  api_endpoint: Address.optional(),
  token_auth_method: z.enum(TOKEN_AUTH_METHODS).optional(),
  /** The provider announced that its responses contain `iss` (RFC 9207): one without it is not from this provider. */
  authorization_response_iss_parameter_supported: z.boolean().optional(),
  scopes: z.array(z.string().regex(/^\S+$/)).optional(),
  /** The audience of its access tokens, if not our API's address. */
  audience: z.string().optional(),
  social_providers: z.array(z.enum(SOCIAL_NAMES)).default([]),
  recognise_by_email: z.enum(RECOGNITIONS).default('verified'),
  ...PoolRules.omit({ social_providers: true }).shape,
})
export type PoolSettings = z.infer<typeof PoolSettings>
