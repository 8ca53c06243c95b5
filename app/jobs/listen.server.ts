/** Wakes the sender when a message was planned (LISTEN); without this connection, the sender polls. */
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient, type LastingClient } from '#app/db/client.server.ts'
import type { Pulse } from './pulse.server.ts'
import { showAlive } from './sending/abandoned.server.ts'

const TRY_AGAIN_AFTER = 1_000
/** A dead connection on which nothing is ever asked goes unnoticed. */
const ASK_EVERY = 5_000
const FAREWELL = 1_000

export type Listener = {
  /** Call when a queue has a new id. */
  renew(): void
  stop(): Promise<void>
}

/** The connection also holds locks that show that the process working on these queues is alive. */
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
