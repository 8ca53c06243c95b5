/** Hears at once that a message was planned; while it cannot hear, the sender looks by itself. */
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient, type LastingClient } from '#app/db/client.server.ts'
import type { Pulse } from './pulse.server.ts'
import { showAlive } from './sending/abandoned.server.ts'

const TRY_AGAIN_AFTER = 1_000
/** Nobody notices that a connection is dead on which nothing is ever asked. */
const ASK_EVERY = 5_000
const FAREWELL = 1_000

export type Listener = {
  /** A queue has another id from now on. */
  renew(): void
  stop(): Promise<void>
}

/** Its connection also shows that the process lives which works through the queues of these ids. */
export function listenForDispatches(
  url: string,
  wake: () => void,
  queueIds: () => readonly string[],
  pulse: Pulse,
): Listener {
  let isStopping = false
  let client: LastingClient | undefined
  let timer: NodeJS.Timeout | undefined

  async function connect(): Promise<void> {
    if (isStopping) return
    const fresh = createClient(url, { application_name: 'liftwell listener' })
    client = fresh
    let asking: NodeJS.Timeout | undefined
    fresh.on('notification', wake)
    fresh.on('end', () => {
      clearInterval(asking)
      if (!isStopping) timer = setTimeout(connect, TRY_AGAIN_AFTER)
    })
    try {
      await pulse.of('listener', async () => {
        await fresh.connect()
        for (const id of queueIds()) await showAlive(fresh, id)
        await fresh.query('listen liftwell_dispatches')
      })
      asking = setInterval(
        () => void pulse.of('listener', () => fresh.query('select')).catch(() => {}),
        ASK_EVERY,
      )
      wake()
    } catch {
      fresh.destroy()
    }
  }

  void connect()
  return {
    renew: () => client?.destroy(),
    async stop() {
      isStopping = true
      clearTimeout(timer)
      await Promise.race([client?.end().catch(() => {}), sleep(FAREWELL)])
      client?.destroy()
    },
  }
}
