/** A mail server, `smtp-server` of the npm registry, that keeps the mails it takes. */
import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

export type Taken = { from: string; to: string[]; raw: string; isSecure: boolean; user: unknown }
type Connection = { close(): void }
export type Hooks = {
  /** Refuses with this code and text at a step; `drop` closes the connection, `hang` never answers. */
  at?: (
    step: 'HELLO' | 'MAIL' | 'RCPT' | 'DATA' | 'END',
    address: string,
  ) => { code: number; text: string } | 'drop' | 'hang' | undefined
  /** Called before the sender gets the answer. */
  onTaken?: (mail: Taken) => void
}

export async function startMailServer(hooks: Hooks = {}, options: SMTPServerOptions = {}) {
  const taken: Taken[] = []
  const open = new Map<string, number>()
  const lasted: number[] = []
  const answer = (
    server: SMTPServer,
    said: ReturnType<NonNullable<Hooks['at']>>,
    done: (error?: Error | null) => void,
  ) => {
    if (said === 'hang') return
    if (said === 'drop') {
      for (const connection of server.connections as Set<Connection>) connection.close()
      return
    }
    done(said ? Object.assign(new Error(said.text), { responseCode: said.code }) : null)
  }
  const server: SMTPServer = new SMTPServer({
    authOptional: true,
    logger: false,
    // No DNS queries.
    disableReverseLookup: true,
    onAuth: ({ username, password }, _session, done) =>
      username === 'liftwell' && password === 'p@ss:word'
        ? done(null, { user: username })
        : done(Object.assign(new Error('5.7.8 no p@ss:word for liftwell'), { responseCode: 535 })),
    onConnect({ id }, done) {
      open.set(id, performance.now())
      answer(server, hooks.at?.('HELLO', ''), done)
    },
    onClose({ id }) {
      const since = open.get(id)
      open.delete(id)
      if (since !== undefined) lasted.push(performance.now() - since)
    },
    onMailFrom: ({ address }, _session, done) => answer(server, hooks.at?.('MAIL', address), done),
    onRcptTo: ({ address }, _session, done) => answer(server, hooks.at?.('RCPT', address), done),
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        const to = rcptTo.map(({ address }) => address)
        const mail = {
          from: mailFrom ? mailFrom.address : '',
          to,
          raw: Buffer.concat(chunks).toString('utf8'),
          isSecure: session.secure,
          user: session.user,
        }
        taken.push(mail)
        hooks.onTaken?.(mail)
        answer(server, hooks.at?.('END', to[0] ?? ''), done)
      })
    },
    ...options,
  })
  server.on('error', () => {})
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    taken,
    port: (server.server.address() as AddressInfo).port,
    /** The number of open connections. */
    connected: () => open.size,
    /** The duration of each closed connection, in milliseconds. */
    lasted,
    stop: () => new Promise<void>((done) => server.close(done)),
  }
}
