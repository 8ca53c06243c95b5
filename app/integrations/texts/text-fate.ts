/** Decides what became of a text from its rows in a carrier's list. */
import type { Fate } from '#app/integrations/carrier.ts'

export type Seen = { id: string; state: 'delivered' | 'undelivered' | 'in transit'; code: string | null }

/** Several rows are the same message sent more than once: the best one counts. */
export function fateOf(seen: readonly [Seen, ...Seen[]]): Fate {
  const delivered = seen.find(({ state }) => state === 'delivered')
  const taken = delivered ?? seen.find(({ state }) => state === 'in transit')
  if (taken)
    return { outcome: 'taken', receipt: { provider_id: taken.id, delivered: delivered !== undefined } }
  const [{ id, code }] = seen
  return { outcome: 'undelivered', provider_id: id, code: code && `sms:${code}` }
}
