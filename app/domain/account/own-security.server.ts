/** One's own second factor and password, at the platform's own provider. */
import { randomUUID } from 'node:crypto'
import { addJob } from '#app/db/queue.server.ts'
import type { Actor } from '../access/actor.ts'
import { record } from '../audit/audit.server.ts'
import { maskPhone } from '../authenticator/mask.ts'
import { ownSecondFactorIsDue } from '../authenticator/second-factor.server.ts'
import { conflict, invalid, notFound, Refusal } from '../errors.ts'
import { askOnce } from '../scope/ask-once.server.ts'
import { atHome, type Scope } from '../scope/scope.server.ts'
import type { InScope } from '../scope/shared-reads.server.ts'
import { findSelf } from '../users/current-user.server.ts'
import type { Account, Accounts } from './accounts.ts'
import type { Notice } from './notices.ts'
import type { Security } from './security.ts'

/** The provider's accounts, the IP address of the request, and whether this is the demo. */
export type Asking = { accounts: Accounts | undefined; ip: string; isDemo: boolean }

export const getSecurity = (scope: Scope, asking: Asking): Promise<Security> =>
  atHome(scope, async (home) => {
    const is_required = await ownSecondFactorIsDue(home, asking.isDemo)
    const account = await ownAccount(home)
    const { accounts } = asking
    if (!account || !accounts)
      return {
        is_ours: false,
        is_required,
        preferred: null,
        has_app: false,
        phone: null,
        available_phone: null,
      }
    const { preferred, has_app, phone } = await accounts.fetchMFAPreference(account)
    const verified = await verifiedPhone(home)
    return {
      is_ours: true,
      is_required,
      preferred,
      has_app,
      phone: phone && maskPhone(phone),
      available_phone: verified && maskPhone(verified),
    }
  })

/** For accounts at the platform's own provider, which is asked while no transaction is open. Null for any other. */
export async function hasSecondFactor(
  inScope: InScope,
  actor: Actor,
  accounts: Accounts,
): Promise<boolean | null> {
  const account = await inScope(actor, ownAccount)
  return account === null ? null : (await accounts.fetchMFAPreference(account)).preferred !== null
}

export const setUpApp = (scope: Scope, { accounts, ip }: Asking, password: string) =>
  withAccount(scope, accounts, (own, account) => own.setUpTOTP({ ...account, password, ip }))

export const getAppSetUp = (scope: Scope, { accounts }: Asking) =>
  withAccount(scope, accounts, async (own, account) => {
    const pending = await own.pendingTOTP(account)
    if (!pending) throw notFound()
    return pending
  })

export async function confirmApp(scope: Scope, asking: Asking, code: string): Promise<Security> {
  await withAccount(scope, asking.accounts, async (own, account, home) => {
    await note(home, 'second_factor_changed', { preferred: 'SOFTWARE_TOKEN_MFA' })
    await own.verifyTOTPSetup({ ...account, code, ip: asking.ip })
  })
  return getSecurity(scope, asking)
}

type Wish = { preferred: Security['preferred']; password: string }

export async function chooseFactor(
  scope: Scope,
  asking: Asking,
  { preferred, password }: Wish,
): Promise<Security> {
  await withAccount(scope, asking.accounts, async (own, account, home) => {
    if (preferred === null && (await ownSecondFactorIsDue(home, asking.isDemo)))
      throw conflict('preferred', 'You need a second factor here: choose another one instead.')
    const phone_number = preferred === 'SMS_MFA' ? await phoneForCodes(home) : null
    const before = await own.fetchMFAPreference(account)
    if (preferred !== before.preferred || phone_number !== before.phone)
      await note(home, preferred === null ? 'second_factor_removed' : 'second_factor_changed', { preferred })
    await own.updateMFAPreference({
      ...account,
      password,
      ip: asking.ip,
      preferred,
      ...(phone_number === null ? {} : { phone_number }),
    })
  })
  return getSecurity(scope, asking)
}

/** Ends every session that was signed in with the old password, this one too. */
export const changePassword = (
  scope: Scope,
  { accounts, ip }: Asking,
  wish: { password: string; new_password: string },
): Promise<void> =>
  withAccount(scope, accounts, async (own, account, home) => {
    await note(home, 'password_changed')
    await own.updatePassword({ ...account, ...wish, ip })
  })

/** Stops somebody else at an open browser. Nothing is asked where another provider signs people in. */
export const requireOwnPassword = (
  scope: Scope,
  { accounts, ip }: Asking,
  password: string | undefined,
): Promise<void> =>
  atHome(scope, async (home) => {
    const account = await ownAccount(home)
    if (!account || !accounts) return
    if (!password) throw invalid({ password: ['Please enter your password'] })
    await accounts.confirmPassword({ ...account, password, ip })
  })

export const hasOwnPassword = (scope: Scope, { accounts }: Asking): Promise<boolean> =>
  atHome(scope, async (home) => accounts !== undefined && (await ownAccount(home)) !== null)

/** Calls the provider last, so that its refusal also rolls back what was recorded. */
function withAccount<Result>(
  scope: Scope,
  accounts: Accounts | undefined,
  work: (accounts: Accounts, account: Account, home: Scope) => Promise<Result>,
): Promise<Result> {
  return atHome(scope, async (home) => {
    const account = await ownAccount(home)
    if (!account || !accounts) throw new Refusal(409, 'Your company manages this in its own sign-in.')
    return work(accounts, account, home)
  })
}

async function ownAccount(home: Scope): Promise<Account | null> {
  const { pool, sub } = (await readPool(home)) ?? {}
  return pool && sub ? { pool, sub } : null
}

export const isEmbedded = async (home: Scope): Promise<boolean> => (await readPool(home)) !== undefined

/** The platform's own pool, if the person's company uses it, and who the person is there. */
const readPool = (home: Scope) =>
  askOnce(home, ['own pool'], () =>
    home.db
      .selectFrom('tenants')
      .innerJoin('pools', 'pools.id', 'tenants.pool_id')
      .leftJoin('user_identities as known', (join) =>
        join.onRef('known.issuer', '=', 'pools.issuer').on('known.user_id', '=', home.actor.user_id),
      )
      .select(['pools.id as pool', 'known.subject as sub'])
      .where('tenants.id', '=', home.actor.home_tenant_id)
      .where('pools.kind', '=', 'embedded')
      .executeTakeFirst(),
  )

async function phoneForCodes(home: Scope): Promise<string> {
  const phone = await verifiedPhone(home)
  if (phone === null) throw conflict('preferred', 'Confirm your phone number first.')
  return phone
}

async function verifiedPhone(home: Scope): Promise<string | null> {
  const { mobile_phone, phone_verified_on } = await findSelf(home)
  return phone_verified_on === null ? null : mobile_phone
}

async function note(home: Scope, what: Notice, changes: Record<string, unknown> = {}): Promise<void> {
  const { actor, db } = home
  await record(home, `user.${what}`, { type: 'user', id: actor.user_id }, changes)
  const payload = { tenant_id: actor.tenant_id, user_id: actor.user_id, what, nonce: randomUUID() }
  await addJob(db, 'tell-of-security', payload, { carrier: 'email' })
}
