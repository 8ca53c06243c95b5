/** A TCP proxy that a test can make slow, silent or absent, to disturb the connection to a database. */
import { connect, createServer, type NetConnectOpts, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export type TcpProxy = {
  readonly port: number
  /** Forwards everything at once again. Frozen connections stay frozen. */
  pass(): Promise<void>
  /** Delays every byte, in both directions. */
  delay(ms: number): void
  /** Existing connections never answer again, nor do they close; new ones work. */
  freeze(): void
  /** Forwards nothing: new connections are accepted too, and never answered. */
  blackhole(): void
  /** Ends every existing connection with a RST; new ones work. */
  reset(): void
  /** Stops listening: ECONNREFUSED. Existing connections continue. */
  refuse(): Promise<void>
  /** The number of connections. */
  count(): number
  close(): Promise<void>
}

type Pair = { client: Socket; target: Socket; isFrozen: boolean }

/** A proxy in front of the PostgreSQL of `url`, even on a socket; `through` returns a URL that leads through it. */
export async function startDatabaseProxy(url: string): Promise<TcpProxy & { through(url: string): string }> {
  const { hostname, port, searchParams } = new URL(url)
  const folder = searchParams.get('host')
  const server = Number(port || 5432)
  const proxy = await startTcpProxy(
    folder ? { path: join(folder, `.s.PGSQL.${server}`) } : { host: hostname, port: server },
  )
  return {
    ...proxy,
    through(url) {
      const led = new URL(url)
      led.searchParams.delete('host')
      led.hostname = '127.0.0.1'
      led.port = String(proxy.port)
      return led.href
    },
  }
}

/** A local socket connection has no RST: it just ends. */
const reset = (socket: Socket) => (socket.remoteAddress ? socket.resetAndDestroy() : socket.destroy())

/** Listens on a port of this machine, or at the path of a socket. */
export async function startTcpProxy(target: NetConnectOpts, own: number | string = 0): Promise<TcpProxy> {
  const pairs = new Set<Pair>()
  let delayMs = 0
  let isSilent = false

  function carry(pair: Pair, from: Socket, to: Socket): void {
    let sent = Promise.resolve()
    const later = (work: () => void) => {
      const at = Date.now() + delayMs
      sent = sent.then(async () => {
        if (at > Date.now()) await sleep(at - Date.now())
        if (!pair.isFrozen) work()
      })
    }
    from.on('data', (bytes) => later(() => to.write(bytes)))
    from.on('end', () => later(() => to.end()))
    from.on('error', () => later(() => (to === pair.client ? reset(to) : to.destroy())))
    from.on('close', () => {
      if (from.destroyed && to.destroyed) pairs.delete(pair)
      later(() => to.destroy())
    })
  }

  const server = createServer({ noDelay: true, allowHalfOpen: true }, (client) => {
    const upstream = connect({ ...target, noDelay: true, allowHalfOpen: true })
    const pair = { client, target: upstream, isFrozen: isSilent }
    pairs.add(pair)
    carry(pair, client, upstream)
    carry(pair, upstream, client)
  })
  const listen = (at: number | string) =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      const where = typeof at === 'string' ? { path: at } : { port: at, host: '127.0.0.1' }
      server.listen(where, () => resolve(void server.off('error', reject)))
    })
  await listen(own)
  const address = server.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0
  const each = (work: (pair: Pair) => void) => {
    for (const pair of pairs) work(pair)
  }
  const freeze = () => each((pair) => (pair.isFrozen = true))
  const resetAll = () =>
    each((pair) => {
      pairs.delete(pair)
      reset(pair.client)
      pair.target.destroy()
    })

  return {
    port,
    async pass() {
      delayMs = 0
      isSilent = false
      if (!server.listening) await listen(typeof own === 'string' ? own : port)
    },
    delay: (ms) => (delayMs = ms),
    freeze,
    blackhole() {
      isSilent = true
      freeze()
    },
    reset: resetAll,
    // A server closes its port at once, but calls back only when its last connection has ended.
    async refuse() {
      if (server.listening) server.close()
    },
    count: () => pairs.size,
    async close() {
      if (server.listening) server.close()
      resetAll()
    },
  }
}
