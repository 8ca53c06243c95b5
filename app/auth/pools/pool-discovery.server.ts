/** What a provider's discovery document says, and whether it suffices. */
import { z } from 'zod'
import { asJson, askOutside, OutsideError } from '#app/auth/outside.server.ts'
import type { PoolReport } from '#app/domain/pools/pool.ts'
import { PoolEndpoints, TOKEN_AUTH_METHODS, type TokenAuthMethod } from '#app/domain/pools/settings.ts'
import { clientSecretOf, type Pool } from './pools.server.ts'

export type Check = PoolReport['checks'][number]
export const good = (text: string): Check => ({ ok: true, text })
export const bad = (text: string): Check => ({ ok: false, text })

const Discovery = PoolEndpoints.extend({
  issuer: z.string(),
  code_challenge_methods_supported: z.array(z.string()).optional(),
  id_token_signing_alg_values_supported: z.array(z.string()).optional(),
  response_types_supported: z.array(z.string()).optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
  authorization_response_iss_parameter_supported: z.boolean().default(false),
})
type Discovery = z.infer<typeof Discovery>

type Found = {
  checks: Check[]
  discovered: PoolReport['discovered']
  /** Whether its answers carry `iss` (RFC 9207); undefined when nothing was discovered. */
  names_itself?: boolean
}

export async function discover(pool: Pool): Promise<Found> {
  const nothing = (text: string) => ({ checks: [bad(text)], discovered: {} })
  if (!URL.canParse(pool.issuer)) return nothing('The issuer is not an address: it begins with https://.')
  try {
    const { issuer } = pool
    const answer = await askOutside(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`)
    if (answer.status !== 200)
      return nothing(
        `The issuer does not describe itself: /.well-known/openid-configuration answers ${answer.status}.`,
      )
    const parsed = Discovery.safeParse(asJson(answer.text))
    if (!parsed.success) return nothing('What the issuer publishes is not an OpenID configuration.')
    const { authorization_response_iss_parameter_supported: names_itself } = parsed.data
    return { checks: judge(pool, parsed.data), discovered: namesOf(parsed.data), names_itself }
  } catch (error) {
    if (error instanceof OutsideError) return nothing(error.message)
    throw error
  }
}

function judge(pool: Pool, found: Discovery): Check[] {
  const checks =
    found.issuer === pool.issuer
      ? [good('The issuer describes itself.')]
      : [bad(`It calls itself ${found.issuer}: the issuer has to be written exactly like that.`)]
  const methods = found.code_challenge_methods_supported
  if (methods && !methods.includes('S256')) checks.push(bad('It does not support PKCE with S256.'))
  const algorithms = found.id_token_signing_alg_values_supported
  if (algorithms && !algorithms.some((name) => name === 'RS256' || name === 'ES256'))
    checks.push(bad('It signs with neither RS256 nor ES256.'))
  const types = found.response_types_supported
  if (types && !types.includes('code')) checks.push(bad('It does not offer the authorization code flow.'))
  return clientSecretOf(pool) === null ? checks : [...checks, ...judgeSecret(pool, authMethodsOf(found))]
}

function judgeSecret({ settings: { token_auth_method: wanted } }: Pool, takes: TokenAuthMethod[]): Check[] {
  if (takes.length === 0) return [bad('It accepts a client secret neither in a header nor in the body.')]
  return wanted && !takes.includes(wanted)
    ? [bad(`It does not accept the client secret ${WAYS[wanted]}.`)]
    : []
}

const WAYS = {
  client_secret_basic: 'in a header (client_secret_basic)',
  client_secret_post: 'in the body (client_secret_post)',
} as const satisfies Record<TokenAuthMethod, string>

/** Without a stated method the standard's default applies: the secret in a header. */
const authMethodsOf = ({ token_endpoint_auth_methods_supported: said }: Discovery): TokenAuthMethod[] =>
  said ? TOKEN_AUTH_METHODS.filter((method) => said.includes(method)) : ['client_secret_basic']

function namesOf(found: Discovery): PoolReport['discovered'] {
  const { issuer, authorization_endpoint, token_endpoint, revocation_endpoint } = found
  const { end_session_endpoint, jwks_uri } = found
  const all = {
    issuer,
    authorization_endpoint,
    token_endpoint,
    revocation_endpoint,
    end_session_endpoint,
    jwks_uri,
    token_auth_method: authMethodsOf(found)[0],
  }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}
