/** Finds the person behind the bearer token of an API call. */
import { createHash } from 'node:crypto'
import { decodeJwt, type JWTPayload } from 'jose'
import { sql } from 'kysely'
import type { Database } from '#app/domain/scope/scope.server.ts'
import { issuerOf, listPools, type Pool } from './pools/pools.server.ts'
import { isLetIn, type Principal, UnauthorizedError } from './principal.ts'
import { type Claims, isExpired, verifyAccessToken } from './tokens.server.ts'

/** Throws an `UnauthorizedError` unless the token is valid and its person has access. */
export async function verifyBearer(database: Database, token: string): Promise<Principal> {
  for (const pool of await findPoolsOf(database, token)) {
    const claims = await verifyOnce(pool, token)
    const found = await findBearer(database, pool, token, claims)
    if (!found) continue
    const { is_over, ...principal } = found
    if (is_over) throw new UnauthorizedError('The token was signed out.')
    if (!isLetIn(principal)) throw new UnauthorizedError('The account or its tenant is not active.')
    return principal
  }
  throw new UnauthorizedError('No pool knows anybody by this token.')
}

/** Finds the person by (issuer, sub), never by e-mail address, and only through the pool their tenant uses now. */
export async function findPrincipal(database: Database, pool: Pool, sub: string): Promise<Principal | null> {
  for (const issuer of issuersOf(pool)) {
    const { rows } = await sql<Principal>`select * from find_principal(${issuer}, ${sub})`.execute(database)
    if (rows[0]) return rows[0].pool_id === pool.id ? rows[0] : null
  }
  return null
}

/** Whether anyone has this account, active or not, and no matter which pool their tenant uses now. */
export async function hasPerson(database: Database, pool: Pool, sub: string): Promise<boolean> {
  const { rows } = await sql<{
    yes: boolean
  }>`select has_person(${issuersOf(pool)}::text[], ${sub}) as yes`.execute(database)
  return rows[0]?.yes === true
}

const issuersOf = (pool: Pool): string[] => [...new Set([pool.issuer, issuerOf(pool)])]

/** `is_over`: since the token was issued, the person signed out, was disabled, or got another password. */
async function findBearer(
  database: Database,
  pool: Pool,
  token: string,
  { sub, iat = 0 }: Claims,
): Promise<(Principal & { is_over: boolean }) | null> {
  const [names, issued] = [issuersOf(pool), new Date(iat * 1000)]
  for (const issuer of names) {
    const { rows } = await sql<Principal & { is_over: boolean }>`
      select p.*, is_outdated(${names}, ${sub}, ${issued})
        or exists (select from ended_tokens where token_hash = ${tokenHash(token)}) as is_over
      from find_principal(${issuer}, ${sub}) p`.execute(database)
    if (rows[0]) return rows[0].pool_id === pool.id ? rows[0] : null
  }
  return null
}

/** A signed token cannot be revoked, so tokens of ended sessions are remembered until they expire. */
export async function forgetExpiredTokens(database: Database): Promise<void> {
  await sql`delete from ended_tokens where expires_at < now() - interval '5 minutes'`.execute(database)
}

export const tokenHash = (token: string): Buffer => createHash('sha256').update(token).digest()

const MAX_VERIFIED = 1000
const verified = new WeakMap<Pool, Map<string, Claims>>()

/** Verifies each token once while its pool is cached. Whether its session has ended is checked at each call. */
async function verifyOnce(pool: Pool, token: string): Promise<Claims> {
  const known = verified.get(pool) ?? new Map<string, Claims>()
  verified.set(pool, known)
  const name = tokenHash(token).toString('base64')
  const before = known.get(name)
  if (before && !isExpired(before)) return before
  const claims = await verifyAccessToken(pool, token)
  if (known.size >= MAX_VERIFIED) known.clear()
  known.set(name, claims)
  return claims
}

const POOLS_KEPT_MS = 30_000
const kept = new WeakMap<Database, { pools: Promise<Pool[]>; until: number }>()

/** Pools are found by issuer and client: several tenants' pools may be at one provider. */
async function findPoolsOf(database: Database, token: string): Promise<Pool[]> {
  const claimed = claimsOf(token)
  const issued = (await poolsOf(database)).filter((pool) => issuerOf(pool) === claimed.iss)
  const own = issued.filter((pool) => pool.client_id === (claimed.client_id ?? claimed.azp))
  return own.length > 0 ? own : issued.slice(0, 1)
}

function poolsOf(database: Database): Promise<Pool[]> {
  const known = kept.get(database)
  if (known && known.until > performance.now()) return known.pools
  const pools = listPools(database)
  kept.set(database, { pools, until: performance.now() + POOLS_KEPT_MS })
  pools.catch(() => kept.delete(database))
  return pools
}

/** These claims are not verified yet: they only decide which keys to verify with. */
function claimsOf(token: string): JWTPayload {
  try {
    return decodeJwt(token)
  } catch {
    return {}
  }
}
