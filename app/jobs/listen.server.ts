/** Hears at once that a message was planned; while it cannot hear, the sender looks by itself. */
import { Client } from 'pg'
import { showAlive } from './abandoned.server.ts'

const TRY_AGAIN_AFTER = 3_000

/** Its connection also shows that the process lives which works through the queue of this id. */
export function listenForDispatches(
  url: string,
  wake: () => void,
  queueId: string,
): { stop(): Promise<void> } {
  let isStopping = false
  let client: Client | undefined
  let timer: NodeJS.Timeout | undefined

  async function connect(): Promise<void> {
    if (isStopping) return
    const fresh = new Client({ connectionString: url, application_name: 'liftwell listener' })
    client = fresh
    fresh.on('notification', wake)
    fresh.on('error', () => {})
    fresh.on('end', () => {
      if (!isStopping) timer = setTimeout(connect, TRY_AGAIN_AFTER)
    })
    try {
      await fresh.connect()
      await showAlive(fresh, queueId)
      await fresh.query('listen liftwell_dispatches')
      wake()
    } catch {
      await fresh.end().catch(() => {})
    }
  }

  void connect()
  return {
    async stop() {
      isStopping = true
      clearTimeout(timer)
      await client?.end().catch(() => {})
    },
  }
}
