/** Settings that contradict each other when another server is in front of us or behind us. */
import { encryptionProblems, isLoopback } from './encryption.server.ts'

/** Settings for screens in front of another server's API, which chooses among the ways to sign in that are set here. */
type Elsewhere = {
  [Name in
    | 'API_BASE_URL'
    | 'PUBLIC_ORIGIN'
    | 'DATABASE_URL'
    | `OIDC_${'ISSUER' | 'CLIENT_ID' | 'CLIENT_SECRET'}`
    | `COGNITO_${'USER_POOL_ID' | 'CLIENT_ID' | 'CLIENT_SECRET' | 'DOMAIN' | 'ISSUER'}`]?: string | undefined
} & { PORT: number }
export function elsewhereProblems(env: Elsewhere): [string, string][] {
  const problems = (['API_BASE_URL', 'OIDC_ISSUER', 'COGNITO_DOMAIN', 'COGNITO_ISSUER'] as const).flatMap(
    (name) => addressProblems(name, env[name]),
  )
  if (isWebTier(env) && isItself(env))
    problems.push(['API_BASE_URL', 'must be another server, not the address of these screens'])
  return [...problems, ...providerProblems(env)]
}

export function addressProblems(name: string, text: string | undefined): [string, string][] {
  if (text === undefined || !URL.canParse(text)) return []
  const url = new URL(text)
  const { search, hash, username, password } = url
  if (search || hash || username || password) return [[name, 'must be an address and nothing more']]
  return encryptionProblems(name, url)
}

function providerProblems(env: Elsewhere): [string, string][] {
  const problems: [string, string][] = []
  if (env.OIDC_ISSUER && !env.OIDC_CLIENT_ID)
    problems.push(['OIDC_CLIENT_ID', 'is needed when OIDC_ISSUER is set'])
  for (const name of ['COGNITO_CLIENT_ID', 'COGNITO_DOMAIN'] as const)
    if (env.COGNITO_USER_POOL_ID && !env[name])
      problems.push([name, 'is needed when COGNITO_USER_POOL_ID is set'])
  if (isWebTier(env) && !env.OIDC_ISSUER && !env.COGNITO_USER_POOL_ID)
    problems.push([
      'OIDC_ISSUER',
      'or COGNITO_USER_POOL_ID is needed when API_BASE_URL is set: nobody could sign in',
    ])
  return problems
}

/** With a database of ours, the server at `API_BASE_URL` is one of ours, and sessions are in that database. */
export const isWebTier = ({ API_BASE_URL, DATABASE_URL }: Elsewhere) =>
  API_BASE_URL !== undefined && DATABASE_URL === undefined
function isItself({ API_BASE_URL = '', PUBLIC_ORIGIN, PORT }: Elsewhere): boolean {
  if (!URL.canParse(API_BASE_URL)) return false
  const { origin, hostname, port } = new URL(API_BASE_URL)
  if (PUBLIC_ORIGIN && URL.canParse(PUBLIC_ORIGIN) && new URL(PUBLIC_ORIGIN).origin === origin) return true
  return isLoopback(hostname) && Number(port || 80) === PORT
}

export function apiProblems(env: Record<string, unknown>, name: string): [string, string][] {
  const address = env[name]
  if (typeof address !== 'string' || !URL.canParse(address)) return []
  const url = new URL(address)
  const { search, hash, username, password } = url
  const problems = encryptionProblems(name, url)
  if (search || hash || username || password)
    problems.push([name, 'must be the address of the API and nothing more'])
  return problems
}
