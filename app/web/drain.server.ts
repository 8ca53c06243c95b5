/**
 * A server that ends without cutting anybody off: what has arrived is answered, every answer says that its
 * connection is over, and the door closes in a moment in which nobody is on the way through it.
 */
import {
  createServer,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'

/** Balancers need a moment to read "not ready" before nobody answers any more. */
const NOTICE_MS = 500
/** Who has connected says by then what for. */
const SPEECHLESS_MS = 500
const LOOK_MS = 25
/** During a turn of the event loop that is shorter nobody comes unseen. */
const SHORT_TURN_MS = 0.2
const QUIET_WITHIN_MS = 1000

export type DrainableServer = {
  server: Server
  /** Resolves when everything is answered and nobody is connected; after `patienceMs` the rest is cut off. */
  drain(patienceMs: number): Promise<void>
}

export function createDrainableServer(options: ServerOptions, answer: RequestListener): DrainableServer {
  const answers = new Set<ServerResponse>()
  const connections = new Map<Socket, number>()
  const held: (() => void)[] = []
  let isDraining = false
  let isHolding = false
  let arrivals = 0

  const server = createServer(options, (request, response) => {
    arrivals += 1
    answers.add(response)
    response.once('close', () => answers.delete(response))
    if (isDraining) response.shouldKeepAlive = false
    if (isHolding) held.push(() => answer(request, response))
    else answer(request, response)
  })
  server.on('connection', (socket: Socket) => {
    arrivals += 1
    connections.set(socket, performance.now())
    socket.once('close', () => connections.delete(socket))
  })

  async function untilNobodyComes(withinMs: number): Promise<void> {
    const latest = performance.now() + withinMs
    for (let turn = performance.now(), seen = -1; turn < latest; ) {
      await nextTurn()
      const now = performance.now()
      if (seen === arrivals && now - turn < SHORT_TURN_MS) return
      turn = now
      seen = arrivals
    }
  }

  function closeSpeechless(): void {
    for (const [socket, since] of connections)
      if (socket.bytesRead === 0 && performance.now() - since > SPEECHLESS_MS) socket.destroy()
  }

  async function drain(patienceMs: number): Promise<void> {
    const end = performance.now() + patienceMs
    isDraining = true
    for (const response of answers) response.shouldKeepAlive = false
    await pause(Math.min(NOTICE_MS, patienceMs))

    // Who keeps asking is held inside for a moment: outside they would come just when the door closes.
    isHolding = true
    await untilNobodyComes(Math.min(QUIET_WITHIN_MS, end - performance.now()))
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    isHolding = false
    for (const begin of held.splice(0)) begin()

    while (connections.size > 0 && performance.now() < end) {
      await Promise.race([closed, pause(LOOK_MS)])
      // Only after what has arrived was read is a connection known to be idle.
      await nextTurn()
      server.closeIdleConnections()
      closeSpeechless()
    }
    for (const socket of connections.keys()) socket.destroy()
    await closed
  }

  return { server, drain }
}
