/** Makes a repeated submit harmless on another server, too. Section 7 has no idempotency key, so it is remembered here. */
import { readJson, writeJson } from '#app/elsewhere/json.server.ts'
import { madeOnce } from '#app/elsewhere/made-once.server.ts'
import type { Credentials, Made } from '../send.server.ts'

const KEPT_MS = 10 * 60 * 1000

/** A failed first attempt is repeated, because each submit needs an answer that it can read itself. */
export async function once(
  { options }: Made,
  who: Credentials,
  ask: () => Promise<unknown>,
): Promise<unknown> {
  const { idempotencyKey: key } = options
  if (!key) return ask()
  const { tenant_id, impersonate_tenant_id, sub_tenant_id, principal } = who
  const name = [principal.user_id, tenant_id, impersonate_tenant_id, sub_tenant_id, key].join('\n')
  return readJson(await madeOnce(name, KEPT_MS, async () => writeJson((await ask()) ?? null)))
}
