/** The userInfo endpoint for JWT access tokens, like Cognito's; oidc-provider's own accepts only opaque ones. */
import { createLocalJWKSet, type JWK, type JWTPayload, jwtVerify } from 'jose'
import type { KoaContextWithOIDC } from 'oidc-provider'
import type { Pool } from 'pg'
import type { SigningKey } from '#app/identity/keys.server.ts'
import { findBySub } from '#app/identity/users.server.ts'
import { CLAIMS } from './claims.ts'

export const USERINFO_PATH = '/oauth2/userInfo'

type Endpoint = { database: Pool; pool_id: string; keys: SigningKey[]; issuer: string; audience: string }

export function createUserinfo({ database, pool_id, keys, issuer, audience }: Endpoint) {
  const jwks = createLocalJWKSet({
    keys: keys.map(({ kty, n, e, kid, alg }) => ({ kty, n, e, kid, alg }) as JWK),
  })
  const verify = (token: string) =>
    jwtVerify(token, jwks, { issuer, audience, typ: 'at+jwt', algorithms: ['RS256'] })

  return async function userinfo(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
    if (ctx.path !== USERINFO_PATH || !['GET', 'POST'].includes(ctx.method)) return next()
    ctx.set('cache-control', 'no-store')

    const claims = await verify(/^Bearer (\S+)$/i.exec(ctx.get('authorization'))?.[1] ?? '').then(
      ({ payload }) => payload,
      () => null,
    )
    const user = claims?.sub ? await findBySub(database, pool_id, claims.sub) : null
    if (!claims || !user?.enabled || isOutdated(claims, user.tokens_valid_after)) {
      ctx.status = 401
      ctx.set('www-authenticate', `Bearer realm="${issuer}", error="invalid_token"`)
      ctx.body = { error: 'invalid_token', error_description: 'invalid token provided' }
      return
    }
    ctx.body = claimsFor(String(claims.scope ?? '').split(' '), { sub: user.sub, ...user.attributes })
  }
}

/** `iat` has whole seconds. */
const isOutdated = ({ iat = 0 }: JWTPayload, validAfter: Date) =>
  iat < Math.floor(validAfter.getTime() / 1000)

function claimsFor(scopes: string[], all: Record<string, unknown>): Record<string, unknown> {
  const open = Object.entries(CLAIMS).flatMap(([scope, names]) => (scopes.includes(scope) ? [...names] : []))
  return Object.fromEntries(open.filter((name) => name in all).map((name) => [name, all[name]]))
}
