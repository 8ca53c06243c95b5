/**
 * A POST with an Idempotency-Key is carried out once; its repeats answer with the first answer's bytes. Nothing is kept
 * of a call that takes or answers a password, a code or a secret: each of its requests is carried out.
 */
import { createHash } from 'node:crypto'
import type { Context, Next } from 'hono'
import { createMiddleware } from 'hono/factory'
import { invalid, Refusal } from '#app/domain/errors.ts'
import type { Scope } from '#app/domain/scope.server.ts'
import type { ApiEnv } from './env.server.ts'

/** Declares it, in the definition of the call. */
export const HOLDS_SECRETS = {
  'x-idempotency': 'never kept',
  middleware: createMiddleware<ApiEnv>(async (c, next) => {
    c.set('is_secret', true)
    await next()
  }),
} as const

export async function answerOnce(c: Context<ApiEnv>, scope: Scope, next: Next): Promise<void> {
  const key = c.req.header('idempotency-key')
  if (!key || c.req.method !== 'POST' || scope.actor.user_id === null) return next()
  if (key.length > 200) throw new Refusal(400, 'The Idempotency-Key is too long.')

  const { tenant_id, sub_tenant_id, user_id } = scope.actor
  const row = { tenant_id, user_id, key }
  // The same words in another place are another request.
  const request_hash = createHash('sha256')
    .update(`${sub_tenant_id ?? ''}\n${c.req.path}${new URL(c.req.url).search}\n`)
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
  if (c.var.is_secret) {
    // Its digest as little as its answer: a password could be guessed at it.
    await scope.db
      .deleteFrom('idempotency_keys')
      .where('user_id', '=', user_id)
      .where('key', '=', key)
      .execute()
    return
  }
  const body = await c.res.clone().text()
  await scope.db
    .updateTable('idempotency_keys')
    .set({ status: c.res.status, body })
    .where('user_id', '=', user_id)
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
