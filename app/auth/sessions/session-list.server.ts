/** The caller's own sessions, in whatever tenant they are, and ending them. */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { Sessions } from '#app/db/schema.ts'
import { record } from '#app/domain/audit/audit.server.ts'
import { notFound } from '#app/domain/errors.ts'
import { atHome, type Scope } from '#app/domain/scope/scope.server.ts'
import { browserName, type Session } from '#app/domain/users/session.ts'
import { tokenHash } from '../bearer.server.ts'
import { findPool } from '../pools/pools.server.ts'
import { revokeTokens } from '../pools/provider-tokens.server.ts'
import { unsealTokens } from './session-store.server.ts'

type Row = Selectable<Sessions>

/** `token` belongs to the session that asks. */
export function listSessions(scope: Scope, token: string): Promise<Session[]> {
  return atHome(scope, async (home) => (await ownRows(home)).map((row) => toSession(row, token)))
}

export function endOwnSession(scope: Scope, id: string): Promise<void> {
  return atHome(scope, async (home) => {
    const row = (await ownRows(home)).find((one) => publicId(one) === id)
    if (!row) throw notFound()
    await end(home, [row])
  })
}

export function endOtherSessions(scope: Scope, token: string): Promise<void> {
  return atHome(scope, async (home) => {
    await end(
      home,
      (await ownRows(home)).filter((row) => !isCurrent(row, token)),
    )
  })
}

async function ownRows({ db, actor }: Scope): Promise<Row[]> {
  if (actor.user_id === null) return []
  return db
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', actor.user_id)
    .where('expires_at', '>', new Date())
    .orderBy('last_seen_on', 'desc')
    .limit(200)
    .execute()
}

async function end(home: Scope, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return
  const hashes = rows.map(({ id_hash }) => id_hash)
  await home.db.deleteFrom('sessions').where('id_hash', 'in', hashes).execute()
  const subject = { type: 'user', id: home.actor.user_id }
  await record(home, 'user.sessions_ended', subject, { count: rows.length })
  for (const row of rows) await tellProvider(home, row)
}

async function tellProvider({ db }: Scope, row: Row): Promise<void> {
  const tokens = unsealTokens(row.tokens_sealed, row.id_hash)
  const pool = await findPool(db, row.pool_id)
  if (tokens && pool) void revokeTokens(pool, tokens)
}

const toSession = (row: Row, token: string): Session => ({
  id: publicId(row),
  browser: browserName(row.user_agent),
  is_current: isCurrent(row, token),
  remember: row.remember,
  created_on: row.created_on.toISOString(),
  last_seen_on: row.last_seen_on.toISOString(),
  expires_on: row.expires_at.toISOString(),
})

/** Identifies a session without revealing the value that opens it. */
const publicId = ({ id_hash }: Row): string =>
  createHash('sha256').update('public:').update(id_hash).digest('hex')

function isCurrent({ token_hash }: Row, token: string): boolean {
  const asking = tokenHash(token)
  return token_hash?.length === asking.length && timingSafeEqual(token_hash, asking)
}
