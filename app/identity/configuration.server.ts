/** What oidc-provider is told for one pool: the code flow with PKCE for one confidential client, and nothing else. */
import { type Configuration, errors, interactionPolicy, type KoaContextWithOIDC } from 'oidc-provider'
import type { Pool } from 'pg'
import { COOKIE, INTERACTION_COOKIE } from './cookies.ts'
import type { House } from './door.ts'
import type { Secrets } from './factors/secrets.server.ts'
import type { SigningKey } from './keys.server.ts'
import { LOGOUT_PATH } from './logout.server.ts'
import { createModel } from './models.server.ts'
import { errorPage, failurePage, loggedOutPage, logoutPage } from './pages.server.ts'
import type { EmbeddedPool } from './pools.ts'
import { CLAIMS, USERINFO_PATH } from './userinfo.server.ts'
import { findBySub, toUsername } from './users.server.ts'

type Setting = {
  database: Pool
  pool: EmbeddedPool
  origin: string
  secrets: Secrets
  keys: SigningKey[]
  requiresMfa: House['requiresMfa']
}

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const SIGN_IN = 15 * MINUTE
const SCOPES = Object.keys(CLAIMS).join(' ')

export const audienceAt = (origin: string) => `${origin}/api/v1`

export function createConfiguration(setting: Setting): Configuration {
  const { database, pool, origin, secrets, keys } = setting
  const audience = audienceAt(origin)

  return {
    adapter: (kind) => createModel(database, pool.id, kind),
    jwks: { keys },
    clients: [
      {
        client_id: pool.client_id,
        client_secret: secrets.clientSecret(pool.id, pool.client_id),
        token_endpoint_auth_method: 'client_secret_basic',
        redirect_uris: [`${origin}/auth/callback`],
        post_logout_redirect_uris: [`${origin}/login`],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
      },
    ],
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
    /** The screen to begin with, where `/login` was asked for one. */
    extraParams: ['screen_hint'],
    routes: {
      authorization: '/oauth2/authorize',
      token: '/oauth2/token',
      revocation: '/oauth2/revoke',
      userinfo: USERINFO_PATH,
      end_session: LOGOUT_PATH,
      jwks: '/.well-known/jwks.json',
    },
    cookies: {
      keys: [secrets.cookieKey],
      names: {
        interaction: INTERACTION_COOKIE,
        resume: '__Secure-idp-resume',
        session: '__Secure-idp-session',
      },
      short: { ...COOKIE, path: '/' },
      long: { ...COOKIE, path: `/idp/${pool.id}` },
    },
    ttl: {
      AccessToken: HOUR,
      AuthorizationCode: MINUTE,
      IdToken: HOUR,
      Interaction: SIGN_IN,
      RefreshToken: refreshTokenTtl,
      Session: sessionTtl,
      /** Longer than the session it may begin at the end of and the refresh token together. */
      Grant: 32 * DAY,
    },
    features: {
      devInteractions: { enabled: false },
      revocation: {
        enabled: true,
        allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId,
      },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (ctx, form) => {
          ctx.body = logoutPage(form)
        },
        postLogoutSuccessSource: (ctx) => {
          ctx.body = loggedOutPage()
        },
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => audience,
        useGrantedResource: () => true,
        getResourceServerInfo(_ctx, resource) {
          if (resource !== audience) throw new errors.InvalidTarget()
          return {
            scope: SCOPES,
            audience,
            accessTokenFormat: 'jwt',
            accessTokenTTL: HOUR,
            jwt: { sign: { alg: 'RS256' } },
          }
        },
      },
    },
    extraTokenClaims: () => ({ token_use: 'access' }),
    issueRefreshToken: (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    expiresWithSession: () => false,
    clientBasedCORS: () => false,
    interactions: { url: () => '/login/signIn', policy: createPolicy(setting) },

    /** Our own client needs nobody's consent: each sign-in has a grant of its own, which ends as a whole. */
    async loadExistingGrant(ctx) {
      const { client, account, provider } = ctx.oidc
      if (!client || !account) return undefined
      const grant = new provider.Grant({ clientId: client.clientId, accountId: account.accountId })
      grant.addOIDCScope(SCOPES)
      grant.addResourceScope(audience, SCOPES)
      await grant.save()
      return grant
    },

    async findAccount(_ctx, sub, token) {
      const user = await findBySub(database, pool.id, sub)
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
    },

    renderError(ctx, out, error) {
      if (error instanceof errors.SessionNotFound) {
        ctx.status = 303
        return ctx.redirect('/login?expired=1')
      }
      ctx.type = 'html'
      ctx.body = out.error === 'server_error' ? failurePage() : errorPage(out.error_description ?? out.error)
    },
  }
}

const now = () => Math.floor(Date.now() / 1000)

/** Counted from the sign-in, however often the token is exchanged. */
const refreshTokenTtl = (ctx: KoaContextWithOIDC) =>
  ctx.oidc.entities.RotatedRefreshToken?.remainingTTL ?? 30 * DAY

/** As long as a sign-in may take, so that one whose callback was lost is begun again unseen. */
const sessionTtl = (_ctx: KoaContextWithOIDC, { loginTs }: { loginTs?: number | undefined }) =>
  Math.max(1, (loginTs ?? now()) + SIGN_IN - now())

/** Names the session here, so that it ends with the one there. */
const sidOf = (token: object | undefined) =>
  token && 'sessionUid' in token && token.sessionUid ? { sid: token.sessionUid } : {}

const isOlder = (seconds: unknown, date: Date) =>
  typeof seconds === 'number' && seconds < Math.floor(date.getTime() / 1000)

/** No consent; and who typed another address at `/login` than the one signed in here, or has lost the account, signs in anew. */
function createPolicy({ pool, requiresMfa }: Setting) {
  const { base, Check } = interactionPolicy
  const policy = base()
  policy.remove('consent')
  policy.get('login')?.checks.add(
    new Check('login_hint', 'another person is signing in', (ctx: KoaContextWithOIDC) => {
      const { account, params, result, session } = ctx.oidc
      if (result?.login) return Check.NO_NEED_TO_PROMPT
      if (!account) return session?.accountId ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT
      const hint = params?.login_hint
      if (typeof hint !== 'string') return Check.NO_NEED_TO_PROMPT
      return account.username === toUsername(hint) ? Check.NO_NEED_TO_PROMPT : Check.REQUEST_PROMPT
    }),
  )
  policy.get('login')?.checks.add(
    new Check('second_factor', 'a second factor is due', async ({ oidc }: KoaContextWithOIDC) => {
      const { account, result, session } = oidc
      if (!account || result?.login || session?.amr?.includes('mfa')) return Check.NO_NEED_TO_PROMPT
      const isDue = await requiresMfa({ pool: pool.id, sub: account.accountId })
      return isDue ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT
    }),
  )
  return policy
}
