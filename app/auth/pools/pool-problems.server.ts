/** Whether a pool is configured well enough to use, in words for the operator of the platform. */
import { z } from 'zod'
import { PoolConfigurationError } from '#app/auth/principal.ts'
import { clientSecretOf, type Pool } from './pools.server.ts'

const Issuer = z.url({ protocol: /^https?$/ })

/** Throws a `PoolConfigurationError` for a pool that nobody could sign in with. */
export function requireUsable(pool: Pool): void {
  const [problem] = problemsOf(pool)
  if (problem) throw new PoolConfigurationError(pool.id, problem)
}

function problemsOf(pool: Pool): string[] {
  const { kind, issuer, client_id, settings } = pool
  const problems: string[] = []
  if (!Issuer.safeParse(issuer).success) problems.push('The issuer is not an address.')
  if (client_id.trim() === '') problems.push('The client ID is missing.')
  if (kind === 'oidc')
    for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const)
      if (!settings[name]) problems.push(`The ${name} is missing.`)
  if (!canOpenSecret(pool)) problems.push('The client secret was sealed under another APP_SECRET.')
  return problems
}

function canOpenSecret(pool: Pool): boolean {
  try {
    clientSecretOf(pool)
    return true
  } catch {
    return false
  }
}
