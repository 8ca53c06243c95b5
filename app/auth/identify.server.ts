/** Finds the person behind what a provider handed over. */
import type { Selectable } from 'kysely'
import type { SignInAttempts } from '#app/db/schema.ts'
import type { Database } from '#app/domain/scope/scope.server.ts'
import { onlySubTenant } from './actor.server.ts'
import { findPrincipal } from './bearer.server.ts'
import { unsealProgress } from './cognito/attempts.server.ts'
import { freshTokens } from './cognito/session.server.ts'
import { lacksVerification, recognize, takeIn, whyUnknown } from './newcomers.server.ts'
import type { Pool } from './pools/pools.server.ts'
import type { readTokens } from './pools/provider-tokens.server.ts'
import { isLetIn, type Principal, UnauthorizedError } from './principal.ts'
import { isOpenSubTenant } from './sessions/session-scope.server.ts'
import { inHomeOf } from './sessions/session-store.server.ts'
import { verifyIdToken } from './tokens.server.ts'
import type { Reason } from './visit.server.ts'

type Fresh = ReturnType<typeof readTokens>
/**
 * `why` tells the administrator of the provider why the person was refused; `closed` is what the person reads;
 * `tenant_id` is the tenant that knows them.
 */
export type Known =
  | { principal: Principal; tokens: Fresh }
  | { principal: null; why: string; closed: Reason | null; is_unverified?: boolean; tenant_id?: string }

/** `nonce`: null where the tokens came directly from the provider, not through the browser. */
export async function identify(
  database: Database,
  pool: Pool,
  tokens: Fresh,
  nonce: string | null,
): Promise<Known> {
  const { id_token } = tokens.tokens
  if (!id_token) throw new UnauthorizedError('The provider sent no ID token.')
  const claims = await verifyIdToken(pool, id_token, nonce)
  const principal =
    (await findPrincipal(database, pool, claims.sub)) ??
    (await recognize(database, pool, claims)) ??
    (await takeIn(database, pool, claims))
  if (!principal) {
    const is_unverified = lacksVerification(pool, claims)
    return { principal: null, why: whyUnknown(pool, claims), closed: null, is_unverified }
  }
  const closed = await whyClosed(database, principal)
  if (closed) return { principal: null, why: CLOSED[closed], closed, tenant_id: principal.tenant_id }
  return { principal: await activate(database, principal), tokens }
}

export async function identifyOnScreens(
  database: Database,
  pool: Pool,
  attempt: Selectable<SignInAttempts>,
): Promise<Known> {
  const tokens = unsealProgress(attempt)?.tokens
  if (!tokens) throw new UnauthorizedError('The screens have not been passed.')
  return identify(database, pool, freshTokens(tokens), null)
}

/** Null when the account, the tenant, and the person's only sub-tenant (if they have just one) are active. */
export async function whyClosed(database: Database, principal: Principal): Promise<Reason | null> {
  if (!isLetIn(principal))
    return principal.tenant_status === 'active' ? 'account_disabled' : 'tenant_inactive'
  const only = onlySubTenant(principal)
  if (only === null || (await isOpenSubTenant(database, principal.tenant_id, only))) return null
  return 'sub_tenant_inactive'
}

const CLOSED: Record<Reason, string> = {
  account_disabled: 'The person’s account here is deactivated.',
  tenant_inactive: 'The company is inactive.',
  sub_tenant_inactive: 'The only sub-tenant of the person is inactive.',
}

export async function activate(database: Database, principal: Principal): Promise<Principal> {
  if (principal.activation_status !== 'invited') return principal
  await inHomeOf(database, principal, ({ db }) =>
    db
      .updateTable('users')
      .set({ activation_status: 'active' })
      .where('id', '=', principal.user_id)
      .where('activation_status', '=', 'invited')
      .execute(),
  )
  return { ...principal, activation_status: 'active' }
}
