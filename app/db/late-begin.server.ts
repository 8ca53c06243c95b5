/** Sends `begin` together with the first statement of its transaction, which saves each transaction a round trip. */
import type { Socket } from 'node:net'
import type pg from 'pg'

const BEGINS = /^(begin|start transaction)\b/

type Ask = (query: unknown, ...rest: unknown[]) => Promise<unknown>
type Inside = { connection: { stream: Socket } }

const BEGUN = { command: 'BEGIN', rowCount: null, rows: [], fields: [], oid: 0 }

/** For clients in pipeline mode. */
export function beginLate(client: pg.ClientBase): void {
  const ask = client.query.bind(client) as Ask
  let held: string | null = null

  const askLate: Ask = (query, ...rest) => {
    const begin = held
    held = null
    const text = typeof query === 'string' && typeof rest.at(-1) !== 'function' ? query : ''
    if (BEGINS.test(text)) {
      held = text
      return Promise.resolve(BEGUN)
    }
    if (begin === null) return ask(query, ...rest)
    const { stream } = (client as unknown as Inside).connection
    stream.cork()
    const begun = ask(begin)
    const answer = ask(query, ...rest)
    stream.uncork()
    return Promise.all([begun, answer]).then(([, first]) => first)
  }
  client.query = askLate as unknown as typeof client.query
}
