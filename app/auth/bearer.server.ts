/** From the bearer token of an API call to the person behind it. */
import { createHash } from 'node:crypto'
import { decodeJwt } from 'jose'
import { sql } from 'kysely'
import type { Database } from '#app/domain/scope.server.ts'
import { issuerOf, listPools, type Pool } from './pools.server.ts'
import { isLetIn, type Principal, UnauthorizedError } from './principal.ts'
import { verifyAccessToken } from './tokens.server.ts'

/** Throws an `UnauthorizedError` for every token but a valid one of a person who is let in. */
export async function verifyBearer(database: Database, token: string): Promise<Principal> {
  const pool = await findIssuer(database, token)
  if (!pool) throw new UnauthorizedError('The token is from an unknown issuer.')
  const { sub } = await verifyAccessToken(pool, token)

  const [principal, ended] = await Promise.all([findPrincipal(database, pool, sub), isEnded(database, token)])
  if (!principal) throw new UnauthorizedError('Nobody is known by this token.')
  if (ended) throw new UnauthorizedError('The token was signed out.')
  if (!isLetIn(principal)) throw new UnauthorizedError('The account or its tenant is not active.')
  return principal
}

/**
 * By (issuer, sub) and nothing else, never by the e-mail address; and only through the pool that the
 * person's tenant uses now.
 */
export async function findPrincipal(database: Database, pool: Pool, sub: string): Promise<Principal | null> {
  const issuers = new Set([pool.issuer, issuerOf(pool)])
  for (const issuer of issuers) {
    const { rows } = await sql<Principal>`select * from find_principal(${issuer}, ${sub})`.execute(database)
    if (rows[0]) return rows[0].pool_id === pool.id ? rows[0] : null
  }
  return null
}

/** A signed token cannot be called back, so those of ended sessions are remembered until they expire. */
export async function endToken(database: Database, token: string, expires_at: Date): Promise<void> {
  await sql`delete from ended_tokens where expires_at < now() - interval '5 minutes'`.execute(database)
  await sql`insert into ended_tokens (token_hash, expires_at) values (${hashOf(token)}, ${expires_at})
    on conflict do nothing`.execute(database)
}

async function isEnded(database: Database, token: string): Promise<boolean> {
  const { rows } = await sql`select from ended_tokens where token_hash = ${hashOf(token)}`.execute(database)
  return rows.length > 0
}

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()

const POOLS_KEPT_MS = 30_000
const kept = new WeakMap<Database, { pools: Promise<Pool[]>; until: number }>()

async function findIssuer(database: Database, token: string): Promise<Pool | undefined> {
  const issuer = claimedIssuer(token)
  if (issuer === undefined) return undefined
  return (await poolsOf(database)).find((pool) => issuerOf(pool) === issuer)
}

function poolsOf(database: Database): Promise<Pool[]> {
  const known = kept.get(database)
  if (known && known.until > Date.now()) return known.pools
  const pools = listPools(database)
  kept.set(database, { pools, until: Date.now() + POOLS_KEPT_MS })
  pools.catch(() => kept.delete(database))
  return pools
}

function claimedIssuer(token: string): string | undefined {
  try {
    return decodeJwt(token).iss
  } catch {
    return undefined
  }
}
