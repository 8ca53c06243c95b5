/** What the row of a user pool says beyond its issuer and client. Safe for the browser. */
import { z } from 'zod'
import { PoolRules } from '../authenticator/pool-rules.ts'

const Address = z.url({ protocol: /^https?$/, error: 'Please enter a full address, beginning with https://' })

/** The buttons a pool may have, and what Cognito calls the provider behind each. */
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

/** How a person the tenant knows is recognized at the first sign-in. `any`: for the company's own providers. */
export const RECOGNITIONS = ['verified', 'any', 'never'] as const

/** What a pool kept elsewhere may say; an embedded one needs none of it. */
export const PoolSettings = PoolEndpoints.extend({
  /** Of Cognito's hosted pages, where they are not at the issuer's own address. */
  domain: Address.optional(),
  /** Of Cognito's API, where it is not the region's own. */
  api_endpoint: Address.optional(),
  token_auth_method: z.enum(TOKEN_AUTH_METHODS).optional(),
  /** It has said that its answers name it (RFC 9207): one that does not is not its own. */
  authorization_response_iss_parameter_supported: z.boolean().optional(),
  scopes: z.array(z.string().regex(/^\S+$/)).optional(),
  /** Of its access tokens, where it is not our API's address. */
  audience: z.string().optional(),
  social_providers: z.array(z.enum(SOCIAL_NAMES)).default([]),
  recognise_by_email: z.enum(RECOGNITIONS).default('verified'),
  ...PoolRules.omit({ social_providers: true }).shape,
})
export type PoolSettings = z.infer<typeof PoolSettings>
