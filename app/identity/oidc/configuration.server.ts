/** Configures oidc-provider for one pool: only the code flow with PKCE, for one confidential client. */
import { type ClientMetadata, type Configuration, errors } from 'oidc-provider'
import type { Pool } from 'pg'
import { COOKIE, INTERACTION_COOKIE } from '#app/identity/cookies.ts'
import type { House } from '#app/identity/door.ts'
import type { Secrets } from '#app/identity/factors/secrets.server.ts'
import type { SigningKey } from '#app/identity/keys.server.ts'
import type { EmbeddedPool } from '#app/identity/pools.ts'
import { findAccountIn, grantFor } from './accounts.server.ts'
import { CLAIMS } from './claims.ts'
import { featuresFor } from './features.server.ts'
import { LIFETIMES } from './lifetimes.ts'
import { LOGOUT_PATH } from './logout.server.ts'
import { createModel } from './models.server.ts'
import { errorPage, failurePage } from './pages.server.ts'
import { createPolicy } from './policy.server.ts'
import { USERINFO_PATH } from './userinfo.server.ts'

type Setting = {
  database: Pool
  pool: EmbeddedPool
  origin: string
  secrets: Secrets
  keys: SigningKey[]
  requiresMfa: House['requiresMfa']
}

export const audienceAt = (origin: string) => `${origin}/api/v1`

export function createConfiguration(setting: Setting): Configuration {
  const { database, pool, origin, keys } = setting
  const audience = audienceAt(origin)
  return {
    ...FLOW,
    adapter: (kind) => createModel(database, pool.id, kind),
    jwks: { keys },
    clients: [clientOf(setting)],
    cookies: cookiesOf(setting),
    features: featuresFor(audience),
    interactions: { url: () => '/login/signIn', policy: createPolicy(setting) },
    loadExistingGrant: grantFor(audience),
    findAccount: findAccountIn(database, pool.id),
  }
}

const FLOW = {
  clientAuthMethods: ['client_secret_basic', 'client_secret_post'],
  responseTypes: ['code'],
  scopes: Object.keys(CLAIMS),
  claims: {
    ...CLAIMS,
    openid: [...CLAIMS.openid, 'token_use', 'sid'],
    email: [...CLAIMS.email],
    profile: [...CLAIMS.profile],
  },
  conformIdTokenClaims: false,
  pkce: { required: () => true },
  extraParams: ['screen_hint'],
  routes: {
    authorization: '/oauth2/authorize',
    token: '/oauth2/token',
    revocation: '/oauth2/revoke',
    userinfo: USERINFO_PATH,
    end_session: LOGOUT_PATH,
    jwks: '/.well-known/jwks.json',
  },
  ttl: LIFETIMES,
  extraTokenClaims: () => ({ token_use: 'access' }),
  issueRefreshToken: (_ctx, client) => client.grantTypeAllowed('refresh_token'),
  // A refresh token is useless without the client's secret, and after a lost answer the client must be able to use it
  // again.
  rotateRefreshToken: false,
  expiresWithSession: () => false,
  clientBasedCORS: () => false,
  renderError(ctx, out, error) {
    if (error instanceof errors.SessionNotFound) {
      ctx.status = 303
      return ctx.redirect('/login?expired=1')
    }
    ctx.type = 'html'
    ctx.body = out.error === 'server_error' ? failurePage() : errorPage(out.error_description ?? out.error)
  },
} satisfies Configuration

const clientOf = ({ pool, origin, secrets }: Setting): ClientMetadata => ({
  client_id: pool.client_id,
  client_secret: secrets.clientSecret(pool.id, pool.client_id),
  token_endpoint_auth_method: 'client_secret_basic',
  redirect_uris: [`${origin}/auth/callback`],
  post_logout_redirect_uris: [`${origin}/login`],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
})

const cookiesOf = ({ pool, secrets }: Setting): NonNullable<Configuration['cookies']> => ({
  keys: [secrets.cookieKey],
  names: {
    interaction: INTERACTION_COOKIE,
    resume: '__Secure-idp-resume',
    session: '__Secure-idp-session',
  },
  short: { ...COOKIE, path: '/' },
  long: { ...COOKIE, path: `/idp/${pool.id}` },
})
