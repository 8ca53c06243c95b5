/** Changes that signed-in people make to how they sign in. Each asks for the password again. */
import type { Doorkeeper } from './door.ts'
import { disabled, IdentityError, invalid, userNotFound } from './errors.ts'
import { isTooLong, requirePolicy } from './factors/passwords.server.ts'
import { endEverythingOf } from './oidc/models.server.ts'
import { type EmbeddedPool, rulesOf } from './pools.ts'
import { findBySub, preferFactor, replacePassword, type User } from './users.server.ts'

type Account = { pool: string; sub: string }
type Proof = Account & { password: string; ip: string }
type Factor = 'SMS_MFA' | 'SOFTWARE_TOKEN_MFA'
type Secret = { secret: string; uri: string }

export type Accounts = {
  fetchMFAPreference(
    account: Account,
  ): Promise<{ preferred: Factor | null; has_app: boolean; phone: string | null }>
  /** Begins to set up a new app. Until one of its codes was right, the previous app stays in use. */
  setUpTOTP(proof: Proof): Promise<Secret>
  /** The secret begun last, for a quarter of an hour. */
  pendingTOTP(account: Account): Promise<Secret | null>
  verifyTOTPSetup(answer: Account & { code: string; ip: string }): Promise<void>
  /** `phone_number` must be verified already, and is needed for SMS. Null: the password alone. */
  updateMFAPreference(wish: Proof & { preferred: Factor | null; phone_number?: string }): Promise<void>
  /** Ends everything that was signed in with the old password. */
  updatePassword(wish: Proof & { new_password: string }): Promise<void>
  confirmPassword(proof: Proof): Promise<void>
}

type Setting = { door: Doorkeeper; poolOf(poolId: string): Promise<EmbeddedPool | undefined> }

export function createAccounts(setting: Setting): Accounts {
  const proofs = createProofs(setting)
  return {
    ...ownFactors(setting.door, proofs),
    ...ownPassword(setting.door, proofs),
  }
}

type Proofs = ReturnType<typeof createProofs>

function createProofs({ door: { database, attempts, passwords }, poolOf }: Setting) {
  async function requireUser({ pool, sub }: Account): Promise<User> {
    const user = await findBySub(database, pool, sub)
    if (!user) throw userNotFound()
    if (!user.enabled) throw disabled()
    return user
  }

  async function rules(poolId: string) {
    const pool = await poolOf(poolId)
    if (!pool) throw userNotFound()
    return rulesOf(pool)
  }

  /** Wrong passwords here and at the sign-in count together. */
  async function requirePassword({ ip, password, ...account }: Proof): Promise<User> {
    const user = await requireUser(account)
    const attempt = await attempts.begin({ pool_id: user.pool_id, username: user.username, ip })
    if (isTooLong(password) || !(await passwords.matches(password, user.password_hash)))
      throw new IdentityError('NotAuthorizedException', 'Incorrect password.')
    await attempt.forgive()
    return user
  }

  return { requireUser, rules, requirePassword }
}

type FactorCalls =
  | 'fetchMFAPreference'
  | 'setUpTOTP'
  | 'pendingTOTP'
  | 'verifyTOTPSetup'
  | 'updateMFAPreference'

function ownFactors(
  { database, attempts, totp }: Doorkeeper,
  { requireUser, rules, requirePassword }: Proofs,
): Pick<Accounts, FactorCalls> {
  return {
    async fetchMFAPreference(account) {
      const { preferred_mfa: preferred, attributes } = await requireUser(account)
      const phone = preferred === 'SMS_MFA' ? attributes.phone_number : null
      return {
        preferred,
        has_app: await totp.isSetUp(account),
        phone: typeof phone === 'string' ? phone : null,
      }
    },

    async setUpTOTP(proof) {
      const user = await requirePassword(proof)
      return totp.setUp(user, (await rules(user.pool_id)).name)
    },

    async pendingTOTP(account) {
      const user = await requireUser(account)
      return totp.pending(user, (await rules(user.pool_id)).name)
    },

    async verifyTOTPSetup({ code, ip, ...account }) {
      const user = await requireUser(account)
      const { pool_id, username } = user
      const attempt = await attempts.begin({ pool_id, username, ip, kind: 'factor' })
      await totp.replace(user, code)
      await attempt.forgive()
    },

    async updateMFAPreference({ preferred, phone_number, ...proof }) {
      const user = await requirePassword(proof)
      if (preferred === 'SMS_MFA' && !phone_number) throw invalid('There is no verified phone number.')
      if (preferred === 'SOFTWARE_TOKEN_MFA' && !(await totp.isSetUp(proof)))
        throw invalid('There is no authenticator app yet.')
      await preferFactor(database, user, preferred, phone_number)
    },
  }
}

function ownPassword(
  { database, passwords }: Doorkeeper,
  { rules, requirePassword }: Proofs,
): Pick<Accounts, 'confirmPassword' | 'updatePassword'> {
  return {
    async confirmPassword(proof) {
      await requirePassword(proof)
    },

    async updatePassword({ new_password, ...proof }) {
      const user = await requirePassword(proof)
      requirePolicy((await rules(user.pool_id)).password_policy, new_password, user.username)
      const account = {
        password_hash: await passwords.hash(new_password),
        status: user.status,
        temporary_until: null,
        attributes: {},
      }
      if (!(await replacePassword(database, user, account, ['CONFIRMED']))) throw userNotFound()
      await endEverythingOf(database, user.pool_id, user.sub)
    },
  }
}
