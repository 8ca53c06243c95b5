/** Faults of the connection to the database, made by a proxy. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { TcpProxy } from '#tests/support/tcp-proxy.ts'
import type { Kind } from './kind.ts'

/** How long it takes under load until connections lead through the proxy again. */
const SETTLED_MS = 1500
/** A silently dead connection has to be noticed within the time limit of a request. */
const SILENCE_MS = 10_000
/** Nothing passes at all; requests that wait then get an error. */
const SHORT_SILENCE_MS = 6000
const DELAY_MS = 150
const SLOW_MS = 5000

const onTheWay = (name: string, happen: (proxy: TcpProxy) => Promise<void> | void): Kind => ({
  name,
  async happen({ database }) {
    const way = await database.way()
    await sleep(SETTLED_MS)
    try {
      if (way.proxy.count() === 0) throw new Error('Nothing leads through the proxy.')
      await happen(way.proxy)
    } finally {
      await way.end()
    }
  },
})

export const WAY_FAULTS: readonly Kind[] = [
  onTheWay('connections reset', (proxy) => proxy.reset()),
  // The old connections stay silent for good.
  onTheWay('connections frozen', async (proxy) => {
    proxy.freeze()
    await sleep(SILENCE_MS)
  }),
  onTheWay('database unreachable', async (proxy) => {
    proxy.blackhole()
    await sleep(SHORT_SILENCE_MS)
    proxy.reset()
  }),
  onTheWay('delayed by 150 ms each way', async (proxy) => {
    proxy.delay(DELAY_MS)
    await sleep(SLOW_MS)
  }),
]
