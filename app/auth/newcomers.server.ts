/** The one case in which a person is found by e-mail address: their first sign-in at a provider elsewhere. */
import { sql } from 'kysely'
import { record } from '#app/domain/audit/audit.server.ts'
import { maskEmail } from '#app/domain/authenticator/mask.ts'
import { Refusal } from '#app/domain/errors.ts'
import type { Database } from '#app/domain/scope/scope.server.ts'
import { UNIQUE_VIOLATION } from '#app/domain/unique-violation.server.ts'
import { admit } from '#app/domain/users/admission.server.ts'
import { findPrincipal } from './bearer.server.ts'
import type { Pool } from './pools/pools.server.ts'
import type { Principal } from './principal.ts'
import { inHomeOf } from './sessions/session-store.server.ts'
import type { Claims } from './tokens.server.ts'

/** Links the person to the provider's subject; from then on the address no longer matters. */
export async function recognize(database: Database, pool: Pool, claims: Claims): Promise<Principal | null> {
  const email = vouchedEmail(pool, claims)
  if (email === null) return null
  const { rows } = await sql<Principal>`select * from find_newcomer(${pool.id}, ${email}::citext)`.execute(
    database,
  )
  const [principal] = rows
  if (!principal) return null
  const { tenant_id, user_id } = principal
  const linked = await inHomeOf(database, principal, async (home) => {
    const row = { tenant_id, user_id, issuer: pool.issuer, subject: claims.sub }
    const added = await home.db
      .insertInto('user_identities')
      .values(row)
      .onConflict((clash) => clash.doNothing())
      .returning('subject')
      .executeTakeFirst()
    if (added) await record(home, 'user.identity_linked', { type: 'user', id: user_id }, { pool_id: pool.id })
    return added !== undefined
  })
  return linked ? principal : null
}

function vouchedEmail({ kind, settings }: Pool, claims: Claims): string | null {
  const { email } = claims
  if (kind === 'embedded' || settings.recognise_by_email === 'never' || typeof email !== 'string') return null
  return isVerified(claims) || settings.recognise_by_email === 'any' ? email.trim() : null
}

/** Some providers send a string, and some never send the claim. */
const isVerified = ({ email_verified }: Claims): boolean =>
  email_verified === true || email_verified === 'true'

/** Whether the person could be recognized, or admitted, if their address were verified. */
export const lacksVerification = ({ kind, settings }: Pool, claims: Claims): boolean =>
  kind !== 'embedded' &&
  settings.recognise_by_email === 'verified' &&
  typeof claims.email === 'string' &&
  claims.email !== '' &&
  !isVerified(claims)

/** Explains to the administrator of the provider why no person was found. Reveals nothing about other tenants' people. */
export function whyUnknown(pool: Pool, claims: Claims): string {
  const { kind, settings } = pool
  const { email } = claims
  if (kind === 'embedded') return 'The account belongs to nobody here.'
  if (settings.recognise_by_email === 'never')
    return 'The provider’s name for the person is not known here, and nobody is recognized by e-mail.'
  if (typeof email !== 'string' || email === '')
    return 'The ID token has no e-mail address to recognize the person by. Is the scope “email” asked for?'
  const address = maskEmail(email.slice(0, 254))
  if (lacksVerification(pool, claims))
    return `The provider does not say that it has verified ${address}, and only verified addresses count.`
  return `${address} is the address of nobody in this company who waits to be recognized.`
}

/** Admits a newcomer of a user pool after its sign-up; embedded pools do that during their own. */
export async function takeIn(database: Database, pool: Pool, claims: Claims): Promise<Principal | null> {
  const email = vouchedEmail(pool, claims)
  if (pool.kind !== 'cognito' || email === null) return null
  const { sign_up } = pool.settings
  if (!sign_up) return null
  const attributes = Object.fromEntries(
    Object.entries(claims).filter((claim): claim is [string, string] => typeof claim[1] === 'string'),
  )
  try {
    const newcomer = { ...sign_up, email, attributes, issuer: pool.issuer, subject: claims.sub }
    await admit(database, newcomer, { isNew: true })
  } catch (error) {
    // The tenant does not accept sign-ups now, or the address is taken.
    if (isRefusal(error)) return null
    throw error
  }
  return findPrincipal(database, pool, claims.sub)
}

const isRefusal = (error: unknown): boolean =>
  error instanceof Refusal || (error as { code?: unknown }).code === UNIQUE_VIOLATION
