/** Ends a server without cutting anybody off: what has arrived is answered, and the door closes when all is quiet. */
import {
  createServer,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { Traffic } from './traffic.server.ts'

/** Balancers need a moment to read "not ready" before nobody answers any more. */
const NOTICE_MS = 500
/** Where others stay nothing hurries: most who are connected ask once more by then, and are told. */
const UNHURRIED_NOTICE_MS = 2000
const LOOK_MS = 25
const QUIET_WITHIN_MS = 2000
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

const untilAllAre = async (step: 'quiet' | 'closed', others: Others, latest: number) =>
  others.stay || Promise.race([others.allAre(step), pause(latest + AGREED_WITHIN_MS - performance.now())])

export function createDrainableServer(options: ServerOptions, answer: RequestListener): DrainableServer {
  const traffic = new Traffic()
  const held = new Map<ServerResponse, () => void>()
  let isDraining = false
  let isHolding = false

  const server = createServer(options, (request, response) => {
    traffic.ask(request, response)
    if (isDraining) response.shouldKeepAlive = false
    if (isHolding) held.set(response, () => answer(request, response))
    else answer(request, response)
  })
  server.on('connection', (socket) => traffic.connect(socket))
  server.closeIdleConnections = () => traffic.closeIdle()

  /** Who keeps asking is held inside for a moment: outside they would come just when the door closes. */
  async function holdUntilQuiet(latest: number, others: Others | undefined): Promise<void> {
    isHolding = true
    if (!others) return traffic.untilQuiet(latest - performance.now())
    // Closing together takes a moment in which nobody may come: all that was begun is answered before.
    const isAnswering = () => [...traffic.answers].some((one) => !held.has(one))
    while (isAnswering() && performance.now() < latest) await pause(LOOK_MS)
    await traffic.untilQuiet(latest - performance.now())
    await untilAllAre('quiet', others, latest)
    // Whoever came meanwhile is let in.
    await nextTurn()
  }

  function answerHeld(): void {
    isHolding = false
    for (const [response, begin] of held) if (!response.destroyed) begin()
    held.clear()
  }

  async function drain(patienceMs: number, others?: Others): Promise<void> {
    const end = performance.now() + patienceMs
    isDraining = true
    for (const response of traffic.answers) response.shouldKeepAlive = false
    await pause(Math.min(noticeMs(others), patienceMs))

    const within = others ? TOGETHER_WITHIN_MS : QUIET_WITHIN_MS
    const latest = Math.min(performance.now() + within, end)
    if (!others?.stay) await holdUntilQuiet(latest, others)
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    // The door stays open as long as one of them holds it: who is answered before comes to nobody.
    if (others) await untilAllAre('closed', others, latest)
    answerHeld()

    while (!traffic.isOver && performance.now() < end) {
      await Promise.race([closed, pause(LOOK_MS)])
      // Only after what has arrived was read is a connection known to be idle.
      await nextTurn()
      server.closeIdleConnections()
    }
    traffic.cutOff()
    await closed
  }

  return { server, drain }
}
