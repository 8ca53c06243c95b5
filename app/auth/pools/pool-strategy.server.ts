/** The OAuth strategy of one pool for one request: any request with `?state=` counts as its callback. */
import { OAuth2RequestError, OAuth2Strategy } from 'remix-auth-oauth2'
import { z } from 'zod'
import { STATE_COOKIE } from '#app/auth/cookies.server.ts'
import { asJson, type OutsideAnswer } from '#app/auth/outside.server.ts'
import { ProviderAwayError } from '#app/auth/principal.ts'
import { getConfig } from '#app/config.server.ts'
import { askAuthenticated } from './client-authentication.server.ts'
import { clientSecretOf, endpointsOf, type Pool } from './pools.server.ts'

export const ATTEMPT_SECONDS = 15 * 60
const CALLBACK_PATH = '/auth/callback'

export type OAuthTokens = OAuth2Strategy.VerifyOptions['tokens']

export type Asked = {
  nonce: string
  login_hint?: string | undefined
  /** Sign in again even where the provider still has a session. */
  prompt?: 'login' | undefined
  /** Skips the pool's own form and goes straight to a social provider. */
  identity_provider?: string | undefined
  screen_hint?: 'forgotPassword' | 'signIn' | 'signUp' | undefined
}

export class PoolStrategy<User> extends OAuth2Strategy<User> {
  readonly #pool: Pool
  readonly #asked: Asked | undefined
  made: { state: string; codeVerifier: string } | undefined

  constructor(
    pool: Pool,
    verify: (options: OAuth2Strategy.VerifyOptions) => Promise<User>,
    asked?: Asked | undefined,
  ) {
    const endpoints = endpointsOf(pool)
    super(
      {
        cookie: {
          name: STATE_COOKIE,
          path: '/',
          httpOnly: true,
          secure: true,
          sameSite: 'Lax',
          maxAge: ATTEMPT_SECONDS,
        },
        clientId: pool.client_id,
        clientSecret: clientSecretOf(pool),
        authorizationEndpoint: endpoints.authorization,
        tokenEndpoint: endpoints.token,
        ...(endpoints.revocation && { tokenRevocationEndpoint: endpoints.revocation }),
        redirectURI: `${getConfig().PUBLIC_ORIGIN}${CALLBACK_PATH}`,
        scopes: pool.settings.scopes ?? ['openid', 'email', 'profile'],
      },
      verify,
    )
    this.#pool = pool
    this.#asked = asked
  }

  protected override createAuthorizationURL() {
    const made = super.createAuthorizationURL()
    this.made = made
    return made
  }

  protected override authorizationParams(params: URLSearchParams): URLSearchParams {
    const all = new URLSearchParams(params)
    for (const [name, value] of Object.entries(this.#asked ?? {})) if (value) all.set(name, value)
    return all
  }

  /** Asks without scopes, so that the granted ones stay: some providers narrow them otherwise, others refuse. */
  override refreshToken(refreshToken: string): Promise<OAuthTokens> {
    return this.#ask({ grant_type: 'refresh_token', refresh_token: refreshToken }, (endpoint) =>
      this.client.refreshAccessToken(endpoint, refreshToken, []),
    )
  }

  protected override validateAuthorizationCode(code: string, codeVerifier: string): Promise<OAuthTokens> {
    const form = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: String(this.options.redirectURI),
      code_verifier: codeVerifier,
    }
    return this.#ask(form, (endpoint) => this.client.validateAuthorizationCode(endpoint, code, codeVerifier))
  }

  override async revokeToken(token: string): Promise<void> {
    const { revocation } = endpointsOf(this.#pool)
    if (!revocation) return
    if (this.#pool.kind === 'embedded') await super.revokeToken(token)
    else await askAuthenticated(this.#pool, revocation, { token })
  }

  /** Only our own provider is asked by the library, which follows redirects; other endpoints were typed by somebody. */
  #ask(
    form: Record<string, string>,
    asking: (endpoint: string) => Promise<OAuthTokens>,
  ): Promise<OAuthTokens> {
    const { token } = endpointsOf(this.#pool)
    if (this.#pool.kind === 'embedded') return answerOf(asking(token))
    return answerOf(askAuthenticated(this.#pool, token, form).then(tokensIn))
  }
}

function tokensIn({ status, text }: OutsideAnswer): OAuthTokens {
  const said = Answer.safeParse(asJson(text)).data ?? {}
  // A provider that is away, or rate-limits us, has refused nobody.
  if (said.error && status < 500 && status !== 429)
    throw new OAuth2RequestError(said.error, said.error_description ?? null, null, null)
  if (status !== 200) throw new Error(`The token endpoint answers ${status}.`)
  const { refresh_token } = said
  return {
    data: said,
    hasRefreshToken: () => refresh_token !== undefined,
    refreshToken: () => refresh_token,
  } as unknown as OAuthTokens
}

const Answer = z.looseObject({
  error: z.string().optional(),
  error_description: z.string().optional(),
  refresh_token: z.string().optional(),
})

/** Adds a time limit, and counts as a refusal only an error in OAuth's own terms. */
async function answerOf(asking: Promise<OAuthTokens>): Promise<OAuthTokens> {
  try {
    return await patiently(asking)
  } catch (error) {
    throw error instanceof OAuth2RequestError ? error : new ProviderAwayError(error)
  }
}

const PATIENCE_MS = 10_000

/** The library sets no time limit of its own. */
export function patiently<Result>(work: Promise<Result>, ms = PATIENCE_MS): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('It took too long.')), ms)
  })
  return Promise.race([work, tooLate]).finally(() => clearTimeout(timer))
}
