/** A POST with an Idempotency-Key is carried out once; its repeats answer with the first answer's bytes. */
import { createHash } from 'node:crypto'
import type { Context, Next } from 'hono'
import { invalid, Refusal } from '#app/domain/errors.ts'
import type { Scope } from '#app/domain/scope.server.ts'
import type { ApiEnv } from './env.server.ts'

export async function answerOnce(c: Context<ApiEnv>, scope: Scope, next: Next): Promise<void> {
  const key = c.req.header('idempotency-key')
  if (!key || c.req.method !== 'POST' || scope.actor.user_id === null) return next()
  if (key.length > 200) throw new Refusal(400, 'The Idempotency-Key is too long.')

  const row = { tenant_id: scope.actor.tenant_id, user_id: scope.actor.user_id, key }
  const request_hash = createHash('sha256')
    .update(`${c.req.path}\n`)
    .update(await c.req.text())
    .digest()
  // A repeat that comes while the first is still running waits here until that one has committed.
  const first = await scope.db
    .insertInto('idempotency_keys')
    .values({ ...row, request_hash })
    .onConflict((clash) => clash.doNothing())
    .returning('key')
    .executeTakeFirst()
  if (!first) return replay(c, scope, row, request_hash)

  await next()
  if (c.error) return
  const body = await c.res.clone().text()
  await scope.db
    .updateTable('idempotency_keys')
    .set({ status: c.res.status, body })
    .where('user_id', '=', row.user_id)
    .where('key', '=', key)
    .execute()
}

async function replay(
  c: Context<ApiEnv>,
  { db }: Scope,
  row: { user_id: number; key: string },
  request_hash: Buffer,
): Promise<void> {
  const stored = await db
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'status', 'body'])
    .where('user_id', '=', row.user_id)
    .where('key', '=', row.key)
    .executeTakeFirstOrThrow()
  if (!stored.request_hash.equals(request_hash))
    throw invalid({ 'Idempotency-Key': ['This key was used for another request.'] })
  c.res = new Response(stored.body, {
    status: stored.status ?? 200,
    headers: { 'content-type': 'application/json', 'idempotency-replayed': 'true' },
  })
}
