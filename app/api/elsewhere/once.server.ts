/** Makes a repeated submit harmless on another server, too. Section 7 has no idempotency key, so this process remembers. */
import type { Credentials, Made } from '../send.server.ts'

const KEPT_MS = 10 * 60 * 1000
const known = new Map<string, Promise<unknown>>()

export function once({ options }: Made, who: Credentials, ask: () => Promise<unknown>): Promise<unknown> {
  const { idempotencyKey: key } = options
  if (!key) return ask()
  const { tenant_id, impersonate_tenant_id, sub_tenant_id, principal } = who
  return make([principal.user_id, tenant_id, impersonate_tenant_id, sub_tenant_id, key].join('\n'), ask)
}

function make(key: string, ask: () => Promise<unknown>): Promise<unknown> {
  const first = known.get(key)
  // A failed first attempt is repeated, because each submit needs an answer that it can read itself.
  if (first) return first.catch(() => make(key, ask))
  const asking = ask()
  known.set(key, asking)
  const forget = () => void known.delete(key)
  asking.then(() => setTimeout(forget, KEPT_MS).unref(), forget)
  return asking
}
