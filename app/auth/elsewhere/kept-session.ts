/** The session that a browser's cookies hold, where there is no database. */
import { z } from 'zod'

const Named = z.object({ id: z.string(), name: z.string() })

export const KeptSession = z.object({
  provider: z.enum(['oidc', 'cognito']),
  /** The client that the server named at sign-in; refresh tokens work only for that one. */
  client: z.string().nullable().default(null),
  access_token: z.string(),
  refresh_token: z.string().nullable(),
  id_token: z.string().nullable(),
  access_expires_at: z.number(),
  refreshed_at: z.number(),
  expires_at: z.number(),
  remember: z.boolean(),
  tenant_id: z.string().nullable(),
  impersonated: Named.nullable(),
  impersonation_ends_at: z.number().nullable(),
  sub_tenant: Named.nullable(),
})
export type KeptSession = z.infer<typeof KeptSession>

export const KeptAttempt = z.object({
  state: z.string(),
  provider: z.enum(['oidc', 'cognito']),
  client: z.string().nullable(),
  tenant_id: z.string().nullable(),
  redirect_to: z.string(),
  remember: z.boolean(),
  nonce: z.string(),
  expires_at: z.number(),
})
export type KeptAttempt = z.infer<typeof KeptAttempt>
