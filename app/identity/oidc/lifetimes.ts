/** Lifetimes of what a provider issues, in seconds. */
import type { Configuration, KoaContextWithOIDC } from 'oidc-provider'

const MINUTE = 60
export const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const SIGN_IN = 15 * MINUTE

const now = () => Math.floor(Date.now() / 1000)

/** As long as a sign-in may take, so that one whose callback was lost can restart without asking the person again. */
const sessionTtl = (_ctx: KoaContextWithOIDC, { loginTs }: { loginTs?: number | undefined }) =>
  Math.max(1, (loginTs ?? now()) + SIGN_IN - now())

export const LIFETIMES = {
  AccessToken: HOUR,
  AuthorizationCode: MINUTE,
  IdToken: HOUR,
  Interaction: SIGN_IN,
  /** Counted from the sign-in, no matter how often it is used. */
  RefreshToken: 30 * DAY,
  Session: sessionTtl,
  /** Longer than a refresh token that begins at the end of the provider's session. */
  Grant: 32 * DAY,
} satisfies Configuration['ttl']
