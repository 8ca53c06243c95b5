/** What became of a text, by the rows that a carrier's list has of it. */
import type { Fate } from '#app/integrations/carrier.ts'

export type Seen = { id: string; state: 'delivered' | 'undelivered' | 'in transit'; code: string | null }

/** More than one would be the same message: the best of them counts. */
export function fateOf(seen: readonly [Seen, ...Seen[]]): Fate {
  const delivered = seen.find(({ state }) => state === 'delivered')
  const taken = delivered ?? seen.find(({ state }) => state === 'in transit')
  if (taken)
    return { outcome: 'taken', receipt: { provider_id: taken.id, delivered: delivered !== undefined } }
  const [{ id, code }] = seen
  return { outcome: 'undelivered', provider_id: id, code: code && `sms:${code}` }
}
