/** The accounts a provider knows, and what it grants them. */
import type { Configuration } from 'oidc-provider'
import type { Pool } from 'pg'
import { findBySub } from '#app/identity/users.server.ts'
import { SCOPES } from './claims.ts'

type Wanted<Part extends keyof Configuration> = NonNullable<Configuration[Part]>

/** Our own client needs no consent: each sign-in has its own grant, which is revoked as a whole. */
export function grantFor(audience: string): Wanted<'loadExistingGrant'> {
  return async ({ oidc: { client, account, provider } }) => {
    if (!client || !account) return undefined
    const grant = new provider.Grant({ clientId: client.clientId, accountId: account.accountId })
    grant.addOIDCScope(SCOPES)
    grant.addResourceScope(audience, SCOPES)
    await grant.save()
    return grant
  }
}

export function findAccountIn(database: Pool, poolId: string): Wanted<'findAccount'> {
  return async (_ctx, sub, token) => {
    const user = await findBySub(database, poolId, sub)
    if (!user?.enabled || user.status !== 'CONFIRMED') return undefined
    if (token && 'iiat' in token && isOlder(token.iiat, user.tokens_valid_after)) return undefined
    return {
      accountId: user.sub,
      username: user.username,
      claims: (use) => ({
        ...user.attributes,
        sub: user.sub,
        ...(use === 'id_token' && { token_use: 'id', ...sidOf(token) }),
      }),
    }
  }
}

/** The `sid` claim names our session, so that the two end together. */
const sidOf = (token: object | undefined) =>
  token && 'sessionUid' in token && token.sessionUid ? { sid: token.sessionUid } : {}

const isOlder = (seconds: unknown, date: Date) =>
  typeof seconds === 'number' && seconds < Math.floor(date.getTime() / 1000)
