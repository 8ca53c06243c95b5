/** The screens alone, in front of another server: without a database, a worker or an embedded provider. */
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
    // Always ready: when the other server fails for a moment, the pages say so.
    isReady: async () => true,
    setAddress: () => {},
    startWork: async () => {},
    stopWork: async () => {},
    greeting: async () => `The screens run in front of ${new URL(config.API_BASE_URL ?? '').origin}.`,
    stop: async () => {},
  }
}

/** People sign in on their provider's own pages, so no sign-in is ever in progress on ours. */
const NOBODY = { current: async () => null } as unknown as IdentityPort
