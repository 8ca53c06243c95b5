/** The screens alone, in front of another server: no database, no worker, no provider of ours. */
import type { IdentityPort } from '#app/auth/identity-port.ts'
import { setSecret } from '#app/auth/seal.server.ts'
import type { Config } from '#app/config.server.ts'
import { secretOf } from '#app/db/secret.server.ts'

export async function openWebTier(config: Config) {
  setSecret(await secretOf(config))
  return {
    config,
    identity: { handle: (_req: unknown, _res: unknown, next: () => void) => next(), port: () => NOBODY },
    hooks: undefined,
    // What the other server cannot do for a moment, pages say.
    isReady: async () => true,
    setAddress: () => {},
    startWork: async () => {},
    stopWork: async () => {},
    greeting: async () => `The screens run in front of ${new URL(config.API_BASE_URL ?? '').origin}.`,
    stop: async () => {},
  }
}

/** People sign in on their provider's own pages: no sign-in is ever in the middle of ours. */
const NOBODY = { current: async () => null } as unknown as IdentityPort
