/** Skips oidc-provider's question when the request has an ID token of the account, or there is no session. */
import type { KoaContextWithOIDC } from 'oidc-provider'
import type { Pool } from 'pg'
import { COOKIE } from '#app/identity/cookies.ts'
import { revokeGrant } from './models.server.ts'

export const LOGOUT_PATH = '/logout'

export function createLogout(database: Pool, poolId: string) {
  return async function logout(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
    await next()
    if (ctx.path !== LOGOUT_PATH || ctx.status !== 200 || !hasNothingToAsk(ctx)) return

    const { session, provider } = ctx.oidc
    for (const { grantId } of Object.values(session?.authorizations ?? {}))
      if (grantId) await revokeGrant(database, poolId, grantId)
    await session?.destroy()
    ctx.cookies.set(provider.cookieName('session'), null, {
      ...COOKIE,
      path: new URL(provider.issuer).pathname,
    })
    ctx.type = 'text/plain'
    ctx.redirect(targetOf(ctx))
    ctx.status = 303
  }
}

function hasNothingToAsk({ oidc }: KoaContextWithOIDC): boolean {
  if (!oidc?.session) return false
  const { accountId } = oidc.session
  return !accountId || accountId === oidc.entities.IdTokenHint?.payload.sub
}

/** The library has verified that the client may redirect there. */
function targetOf({ oidc }: KoaContextWithOIDC): string {
  const target = oidc.params?.post_logout_redirect_uri
  if (typeof target !== 'string') return oidc.urlFor('end_session_success')
  const url = new URL(target)
  if (typeof oidc.params?.state === 'string') url.searchParams.set('state', oidc.params.state)
  return url.href
}
