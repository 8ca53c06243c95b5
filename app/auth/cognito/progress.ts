/** How far somebody's sign-in at a user pool has come: kept sealed between two pages, never shown. */
import { decodeJwt } from 'jose'
import { z } from 'zod'

const Tokens = z.object({
  access_token: z.string(),
  id_token: z.string().nullable(),
  refresh_token: z.string().nullable(),
  expires_in: z.number(),
})
export type CognitoTokens = z.infer<typeof Tokens>

const Delivery = z.object({
  destination: z.string().nullable(),
  medium: z.enum(['EMAIL', 'SMS']).nullable(),
  attribute_name: z.string().nullable(),
})

export const Progress = z.object({
  /** The pool's own name for the person, which the client-secret proof is computed from. */
  user_id: z.string().optional(),
  username: z.string().optional(),
  session: z.string().optional(),
  challenge: z
    .enum(['NEW_PASSWORD_REQUIRED', 'SMS_MFA', 'EMAIL_OTP', 'SOFTWARE_TOKEN_MFA', 'MFA_SETUP', 'SIGNED_UP'])
    .optional(),
  totp_secret: z.string().optional(),
  /** Where the confirmation code went, for an account created in this browser. */
  signed_up: Delivery.optional(),
  tokens: Tokens.optional(),
})
export type Progress = z.infer<typeof Progress>

/** The pool's own name for the person, which the client-secret proof needs. */
export function userIdIn(id_token: string | null): string {
  const claims = id_token ? decodeJwt(id_token) : {}
  return String(claims['cognito:username'] ?? claims.sub ?? '')
}
