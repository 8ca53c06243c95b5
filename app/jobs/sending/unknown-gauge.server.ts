/** A gauge of unknown messages across all tenants, counted whenever it is read. */
import { sql } from 'kysely'
import { Gauge } from 'prom-client'
import type { Database } from '#app/domain/scope/scope.server.ts'
import { registry } from '#app/integrations/metrics.server.ts'

const NAME = 'messages_unknown'
const CHANNELS = ['sms', 'email'] as const

/** Only the worker's role sees the messages of all tenants. Returns a function that removes the gauge. */
export function gaugeUnknown(database: Database): () => void {
  registry.removeSingleMetric(NAME)
  const gauge = new Gauge({
    name: NAME,
    help: 'Messages of which nobody knows whether they arrived.',
    labelNames: ['channel'],
    registers: [registry],
    async collect() {
      const counts = await countUnknown(database).catch(() => null)
      // No number is better than an outdated one.
      this.reset()
      if (counts) for (const channel of CHANNELS) this.set({ channel }, counts.get(channel) ?? 0)
    },
  })
  return () => {
    if (registry.getSingleMetric(NAME) === gauge) registry.removeSingleMetric(NAME)
  }
}

async function countUnknown(database: Database): Promise<Map<string, number>> {
  const { rows } = await sql<{ channel: string; count: number }>`
    select channel, count(*) from dispatches where state = 'unknown' group by channel`.execute(database)
  return new Map(rows.map(({ channel, count }) => [channel, Number(count)]))
}
