/** The storage of oidc-provider's sessions, interactions, grants, codes and tokens: one table for all. */
import { createHash } from 'node:crypto'
import { type Adapter, type AdapterPayload, errors } from 'oidc-provider'
import type { Pool } from 'pg'

type Kept = { database: Pool; poolId: string; kind: string }
type Column = 'id' | 'uid' | 'user_code'
type Row = { id: string; payload: AdapterPayload; consumed_at: Date | null }

/** Stored only as a digest, because a reader of the database could use these values directly. */
const BEARER = new Set(['AuthorizationCode', 'RefreshToken'])

export function createModel(database: Pool, poolId: string, kind: string): Adapter {
  const bearer = BEARER.has(kind)
  const key = (id: string) => (bearer ? createHash('sha256').update(id).digest('base64url') : id)

  const find = (column: Column, value: string, id?: string) =>
    findPayload({ database, poolId, kind }, [column, value], id)

  return {
    async upsert(id, payload, expiresIn) {
      const { jti, ...rest } = payload
      await database.query(
        `insert into identity.models (pool_id, kind, id, grant_id, uid, user_code, payload, expires_at)
         values ($1, $2, $3, $4, $5, $6, $7, now() + make_interval(secs => $8))
         on conflict (pool_id, kind, id) do update set grant_id = excluded.grant_id, uid = excluded.uid,
           user_code = excluded.user_code, payload = excluded.payload, expires_at = excluded.expires_at`,
        [
          poolId,
          kind,
          key(id),
          payload.grantId ?? null,
          payload.uid ?? null,
          payload.userCode ?? null,
          bearer ? rest : payload,
          expiresIn ?? null,
        ],
      )
    },
    find: (id) => find('id', key(id), id),
    findByUid: (uid) => find('uid', uid),
    findByUserCode: (userCode) => find('user_code', userCode),
    async destroy(id) {
      await database.query('delete from identity.models where pool_id = $1 and kind = $2 and id = $3', [
        poolId,
        kind,
        key(id),
      ])
    },
    async revokeByGrantId(grantId) {
      await database.query('delete from identity.models where pool_id = $1 and kind = $2 and grant_id = $3', [
        poolId,
        kind,
        grantId,
      ])
    },
    /** Of two simultaneous uses one is a replay, and revokes the grant like any other replay. */
    async consume(id) {
      const { rowCount } = await database.query(
        `update identity.models set consumed_at = now()
         where pool_id = $1 and kind = $2 and id = $3 and consumed_at is null`,
        [poolId, kind, key(id)],
      )
      if (rowCount === 1) return
      const replayed = await find('id', key(id))
      if (replayed?.grantId) await revokeGrant(database, poolId, replayed.grantId)
      throw new errors.InvalidGrant('already used')
    },
  }
}

async function findPayload({ database, poolId, kind }: Kept, [column, value]: [Column, string], id?: string) {
  // PostgreSQL text cannot contain NUL, and a query with it fails.
  if (value.includes('\0')) return undefined
  const { rows } = await database.query<Row>(
    `select id, payload, consumed_at from identity.models where pool_id = $1 and kind = $2 and ${column} = $3`,
    [poolId, kind, value],
  )
  const row = rows[0]
  if (!row) return undefined
  const payload = id === undefined ? row.payload : { ...row.payload, jti: id }
  return row.consumed_at ? { ...payload, consumed: Math.floor(row.consumed_at.getTime() / 1000) } : payload
}

/** Revokes a grant with every code and token issued under it. */
export async function revokeGrant(database: Pool, poolId: string, grantId: string): Promise<void> {
  await database.query(
    `delete from identity.models where pool_id = $1 and (grant_id = $2 or (kind = 'Grant' and id = $2))`,
    [poolId, grantId],
  )
}

/** Ends everything an account has or is about to get: sessions, grants, codes, tokens, sign-ins in progress. */
export async function endEverythingOf(database: Pool, poolId: string, sub: string): Promise<void> {
  await database.query(
    `delete from identity.models where pool_id = $1 and (
       (payload ? 'accountId' and payload ->> 'accountId' = $2)
       or (kind = 'Interaction' and (challenge ->> 'sub' = $2 or payload #>> '{result,login,accountId}' = $2)))`,
    [poolId, sub],
  )
}
