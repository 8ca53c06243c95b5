/** Which statements a page sends, from the database's own log. */
import { readFileSync, statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'

export type Counted = { statements: number; transactions: number; texts: string[] }

const SETTLED_MS = 250
/** Connections that answer requests; the jobs have others. */
const LINE = /^liftwell[ -](?:app|identity)\|(\d+)\|LOG: {2}(?:statement|execute [^:]+): (.*)$/

export async function watchStatements(admin: pg.Client, logFile: string) {
  await set(admin, { log_statement: `'all'`, log_line_prefix: `'%a|%p|'` })
  return {
    async count(work: () => Promise<unknown>): Promise<Counted> {
      await work()
      await sleep(SETTLED_MS)
      const from = statSync(logFile).size
      await work()
      await sleep(SETTLED_MS)
      return readCounted(readFileSync(logFile).subarray(from).toString())
    },
    stop: () => set(admin, { log_statement: 'default', log_line_prefix: 'default' }),
  }
}

async function set(admin: pg.Client, settings: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries(settings))
    await admin.query(`alter system set ${name} = ${value}`)
  await admin.query('select pg_reload_conf()')
  await sleep(SETTLED_MS)
}

/** A statement outside a transaction counts as a transaction of its own. */
function readCounted(log: string): Counted {
  const isInside = new Map<string, boolean>()
  const texts: string[] = []
  let transactions = 0
  for (const line of log.replaceAll(/\n\s+/g, ' ').split('\n')) {
    const [, connection = '', text = ''] = LINE.exec(line) ?? []
    if (!connection) continue
    if (/^(begin|start transaction)/i.test(text)) {
      isInside.set(connection, true)
      transactions += 1
    } else if (/^(commit|rollback)/i.test(text)) isInside.set(connection, false)
    else {
      texts.push(text)
      if (!isInside.get(connection)) transactions += 1
    }
  }
  return { statements: texts.length, transactions, texts }
}
