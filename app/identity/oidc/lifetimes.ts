/** How long what a provider issues is good for, in seconds. */
import type { Configuration, KoaContextWithOIDC } from 'oidc-provider'

const MINUTE = 60
export const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const SIGN_IN = 15 * MINUTE

const now = () => Math.floor(Date.now() / 1000)

/** As long as a sign-in may take, so that one whose callback was lost is begun again unseen. */
const sessionTtl = (_ctx: KoaContextWithOIDC, { loginTs }: { loginTs?: number | undefined }) =>
  Math.max(1, (loginTs ?? now()) + SIGN_IN - now())

export const LIFETIMES = {
  AccessToken: HOUR,
  AuthorizationCode: MINUTE,
  IdToken: HOUR,
  Interaction: SIGN_IN,
  /** Counted from the sign-in, however often it is exchanged. */
  RefreshToken: 30 * DAY,
  Session: sessionTtl,
  /** Longer than the session it may begin at the end of and the refresh token together. */
  Grant: 32 * DAY,
} satisfies Configuration['ttl']
