/** Faults of the database server. */
import { setTimeout as sleep } from 'node:timers/promises'
import { takeAllConnections, terminateAll, withAdmin } from './database.ts'
import type { Kind, Setting } from './kind.ts'

/** How long a shortage lasts. */
const SHORTAGE_MS = 4000

const notOurs = ({ database }: Setting) =>
  database.postmaster() === undefined ? 'the server is not on this machine, or not ours' : null

/** Ends the postmaster by a signal, and restarts it where nothing else does. */
const ended = (name: string, signal: NodeJS.Signals): Kind => ({
  name,
  whyNot: notOurs,
  async happen({ database }) {
    const pid = database.postmaster()
    if (pid === undefined) throw new Error('The database does not run.')
    process.kill(pid, signal)
    await database.comeBack()
  },
})

export const DATABASE_FAULTS: readonly Kind[] = [
  ended('postmaster killed', 'SIGKILL'),
  ended('fast restart', 'SIGINT'),
  ended('immediate restart', 'SIGQUIT'),
  {
    name: 'terminated backends',
    async happen({ database }) {
      await withAdmin(database, terminateAll)
    },
  },
  {
    name: 'connections exhausted',
    async happen({ database }) {
      const giveBack = await takeAllConnections(database)
      await sleep(SHORTAGE_MS)
      await giveBack()
    },
  },
  {
    name: 'disk full',
    whyNot: ({ database }) => (database.disk ? null : 'needs root, and a data folder of its own'),
    async happen({ database }, round) {
      database.disk?.fill()
      // Every second time the WAL is full too, and the server gives up.
      if (round % 2 === 0) await withAdmin(database, fillLog).catch(() => {})
      await sleep(SHORTAGE_MS)
      database.disk?.free()
    },
  },
]

async function fillLog(client: { query(text: string): Promise<unknown> }): Promise<void> {
  for (let segment = 0; segment < 40; segment++) {
    await client.query('select txid_current()')
    await client.query('select pg_switch_wal()')
  }
}
