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
/** Where others stay nothing hurries: most who are connected ask once more by then, and are told. */
const UNHURRIED_NOTICE_MS = 2000
/** Who has connected says by then what for. */
const SPEECHLESS_MS = 500
const LOOK_MS = 25
/** Who was answered and asks on has connected by then. */
const QUIET_MS = 100
const QUIET_WITHIN_MS = 2000
/** During a turn of the event loop that is shorter nobody comes unseen. */
const SHORT_TURN_MS = 0.2
const SHORT_WITHIN_MS = 500
/** Other processes were told to leave when this one was. */
const TOGETHER_WITHIN_MS = 3500
const AGREED_WITHIN_MS = 1000

export type DrainableServer = {
  server: Server
  /** Resolves when everything is answered and nobody is connected; after `patienceMs` the rest is cut off. */
  drain(patienceMs: number, others?: Others): Promise<void>
}

/** Other processes at the same door: they let in whoever comes, or all are to close it together, once all are quiet. */
export type Others = { stay: true } | { stay: false; allAre(step: 'quiet' | 'closed'): Promise<void> }

const noticeMs = (others?: Others) => (others?.stay ? UNHURRIED_NOTICE_MS : NOTICE_MS)

/** When it began, and how much it had said when it was last answered. */
type Connection = { since: number; heard: number }

export function createDrainableServer(options: ServerOptions, answer: RequestListener): DrainableServer {
  const answers = new Set<ServerResponse>()
  const connections = new Map<Socket, Connection>()
  const held: (() => void)[] = []
  let isDraining = false
  let isHolding = false
  /** When somebody last came or was answered. */
  let movedAt = 0
  const move = () => {
    movedAt = performance.now()
  }

  const server = createServer(options, (request, response) => {
    move()
    answers.add(response)
    response.once('finish', move)
    response.once('close', () => {
      answers.delete(response)
      const connection = connections.get(request.socket)
      if (connection) connection.heard = request.socket.bytesRead
    })
    if (isDraining) response.shouldKeepAlive = false
    if (isHolding) held.push(() => answer(request, response))
    else answer(request, response)
  })
  server.on('connection', (socket: Socket) => {
    move()
    connections.set(socket, { since: performance.now(), heard: 0 })
    socket.once('close', () => connections.delete(socket))
  })

  /** Until nobody is between an answer and the next question; where visitors never cease, for as long as that may take. */
  async function untilQuiet(withinMs: number): Promise<void> {
    const latest = performance.now() + withinMs
    for (let now = performance.now(); now < latest + SHORT_WITHIN_MS; now = performance.now()) {
      const rest = Math.min(movedAt + QUIET_MS, latest) - now
      if (rest > 0) await pause(rest)
      else if (await isShortTurn()) return
    }
  }

  /** Whether everybody was let in who has connected, and nobody since. */
  async function isShortTurn(): Promise<boolean> {
    const began = performance.now()
    await nextTurn()
    return movedAt < began && performance.now() - began < SHORT_TURN_MS
  }

  /** Node's own takes an answer that has ended for one that has left, and cuts off who reads it slowly. */
  server.closeIdleConnections = () => {
    const answered = new Set([...answers].map(({ socket }) => socket))
    for (const [socket, { since, heard }] of connections) {
      const isNew = heard === 0 && performance.now() - since < SPEECHLESS_MS
      if (socket.bytesRead === heard && !isNew && !answered.has(socket)) socket.destroy()
    }
  }

  /** Who keeps asking is held inside for a moment: outside they would come just when the door closes. */
  async function holdUntilQuiet(latest: number, others: Others | undefined): Promise<void> {
    isHolding = true
    if (!others) return untilQuiet(latest - performance.now())
    // Closing together takes a moment in which nobody may come: all that was begun is answered before.
    while (answers.size > held.length && performance.now() < latest) await pause(LOOK_MS)
    await untilQuiet(latest - performance.now())
    await untilAllAre('quiet', others, latest)
    // Whoever came meanwhile is let in.
    await nextTurn()
  }

  const untilAllAre = async (step: 'quiet' | 'closed', others: Others, latest: number) =>
    others.stay || Promise.race([others.allAre(step), pause(latest + AGREED_WITHIN_MS - performance.now())])

  async function drain(patienceMs: number, others?: Others): Promise<void> {
    const end = performance.now() + patienceMs
    isDraining = true
    for (const response of answers) response.shouldKeepAlive = false
    await pause(Math.min(noticeMs(others), patienceMs))

    const within = others ? TOGETHER_WITHIN_MS : QUIET_WITHIN_MS
    const latest = Math.min(performance.now() + within, end)
    if (!others?.stay) await holdUntilQuiet(latest, others)
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    // The door stays open as long as one of them holds it: who is answered before comes to nobody.
    if (others) await untilAllAre('closed', others, latest)
    isHolding = false
    for (const begin of held.splice(0)) begin()

    while (connections.size > 0 && performance.now() < end) {
      await Promise.race([closed, pause(LOOK_MS)])
      // Only after what has arrived was read is a connection known to be idle.
      await nextTurn()
      server.closeIdleConnections()
    }
    for (const socket of connections.keys()) socket.destroy()
    await closed
  }

  return { server, drain }
}
