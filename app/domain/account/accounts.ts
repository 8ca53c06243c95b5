/** The platform's own identity provider, as used by signed-in people; the terms are Cognito's. */
import type { FACTORS } from './security.ts'

export type Account = { pool: string; sub: string }
export type Proof = Account & { password: string; ip: string }
type Factor = (typeof FACTORS)[number]
type Secret = { secret: string; uri: string }

export type Accounts = {
  fetchMFAPreference(
    account: Account,
  ): Promise<{ preferred: Factor | null; has_app: boolean; phone: string | null }>
  setUpTOTP(proof: Proof): Promise<Secret>
  pendingTOTP(account: Account): Promise<Secret | null>
  verifyTOTPSetup(answer: Account & { code: string; ip: string }): Promise<void>
  updateMFAPreference(wish: Proof & { preferred: Factor | null; phone_number?: string }): Promise<void>
  updatePassword(wish: Proof & { new_password: string }): Promise<void>
  confirmPassword(proof: Proof): Promise<void>
}
