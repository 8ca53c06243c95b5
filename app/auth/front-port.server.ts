/** The port of the sign-in screens, for the provider this browser is signing in with: the embedded one or a user pool. */
import type { Database } from '#app/domain/scope/scope.server.ts'
import { findOnScreens } from './cognito/attempts.server.ts'
import { CognitoRefusal } from './cognito/errors.ts'
import type { IdentityPort } from './identity-port.ts'
import { PoolConfigurationError, ProviderAwayError } from './principal.ts'

/** `embedded` is our own provider; the choice is made when a screen first asks. */
export function createFrontPort(
  cookie: string | undefined,
  embedded: IdentityPort,
  { database, report }: { database: Database; report: (error: Error) => void },
): IdentityPort {
  if (!cookie) return embedded
  const request = new Request('http://internal/', { headers: { cookie } })
  let chosen: Promise<IdentityPort> | undefined
  const choose = () => {
    chosen ??= findOnScreens(request, database).then(async (found) => {
      if (!found) return embedded
      // Loaded on demand: Amazon's library is large, and most sites have no user pool there.
      const { createCognitoPort } = await import('./cognito/port.server.ts')
      return (await createCognitoPort(request, database)) ?? embedded
    })
    return chosen
  }
  return new Proxy(embedded, {
    get:
      (_, name: keyof IdentityPort) =>
      async (...input: unknown[]) => {
        const port = await choose()
        return (port[name] as (...input: unknown[]) => Promise<unknown>)(...input).catch((error) =>
          sayInWords(error, report),
        )
      },
  })
}

/** Failures that nobody at the screen can correct become a sentence there, and a line in the log. */
function sayInWords(error: unknown, report: (error: Error) => void): never {
  if (error instanceof PoolConfigurationError) {
    report(error)
    throw new CognitoRefusal('ServiceUnavailableException', MISCONFIGURED)
  }
  if (error instanceof ProviderAwayError) {
    report(error)
    throw new CognitoRefusal('ServiceUnavailableException', AWAY)
  }
  throw error
}

const MISCONFIGURED = 'Configuration error (see console) – please contact the administrator'
const AWAY = 'The sign-in service does not answer right now. Please try again in a moment.'
