/** What the row of a user pool says beyond its issuer and client. Safe for the browser. */
import { z } from 'zod'
import { ENTRANCES } from '../authenticator/state.ts'

const Address = z.url({ protocol: /^https?$/, error: 'Please enter a full address, beginning with https://' })

/** The buttons a pool may have, and what Cognito calls the provider behind each. */
export const SOCIAL_PROVIDERS = {
  Amazon: 'LoginWithAmazon',
  Apple: 'SignInWithApple',
  Facebook: 'Facebook',
  Google: 'Google',
} as const
export const SOCIAL_NAMES = ['Amazon', 'Apple', 'Facebook', 'Google'] as const

/** The addresses that a provider's discovery document knows. */
export const PoolEndpoints = z.object({
  authorization_endpoint: Address.optional(),
  token_endpoint: Address.optional(),
  revocation_endpoint: Address.optional(),
  end_session_endpoint: Address.optional(),
  jwks_uri: Address.optional(),
})
export type PoolEndpoints = z.infer<typeof PoolEndpoints>

/**
 * By which e-mail address a person whom the tenant knows already is recognised at the first sign-in;
 * afterwards it is the provider's own name for them, and nothing else. `any` is for providers that are the
 * company's own and say nothing of verification.
 */
export const RECOGNITIONS = ['verified', 'any', 'never'] as const

/** What a pool kept elsewhere may say; an embedded one needs none of it. */
export const PoolSettings = PoolEndpoints.extend({
  /** Of Cognito's hosted pages, where they are not at the issuer's own address. */
  domain: Address.optional(),
  /** Of Cognito's API, where it is not the region's own. */
  api_endpoint: Address.optional(),
  scopes: z.array(z.string().regex(/^\S+$/)).optional(),
  /** Of its access tokens, where it is not our API's address. */
  audience: z.string().optional(),
  social_providers: z.array(z.enum(SOCIAL_NAMES)).default([]),
  recognise_by_email: z.enum(RECOGNITIONS).default('verified'),
  /** Into which company those come who make their account by themselves; null, nobody may. */
  sign_up: z.object({ tenant_id: z.uuid() }).nullable().catch(null).default(null),
  initial_screen: z.enum(ENTRANCES).catch('signIn').default('signIn'),
})
export type PoolSettings = z.infer<typeof PoolSettings>
