/** Shuts a server down without cutting anyone off: answers what has arrived, and closes the port once it is quiet. */
import {
  createServer,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { refuse } from '../load.server.ts'
import { Traffic } from './traffic.server.ts'

/** Load balancers need a moment to read "not ready" before connections are refused. */
const NOTICE_MS = 500
/** Used when other processes stay: most connected clients ask again within this time and get `Connection: close`. */
const UNHURRIED_NOTICE_MS = 2000
const LOOK_MS = 25
const QUIET_WITHIN_MS = 2000
/** Longer, because the other processes were told to leave at the same moment and drain as well. */
const TOGETHER_WITHIN_MS = 3500
const AGREED_WITHIN_MS = 1000

export type DrainableServer = {
  server: Server
  /**
   * Resolves when everything is answered and every connection closed. After `patienceMs` it answers 503 to those who
   * only read, and cuts off the rest: whether something was changed, only its own answer can say. Resolves to how
   * many there were.
   */
  drain(patienceMs: number, others?: Others): Promise<number>
}

/** Other processes on the same port: they stay and accept new clients, or all close it together once all are quiet. */
export type Others = { stay: true } | { stay: false; allAre(step: 'quiet' | 'closed'): Promise<void> }

const noticeMs = (others?: Others) => (others?.stay ? UNHURRIED_NOTICE_MS : NOTICE_MS)

const untilAllAre = async (step: 'quiet' | 'closed', others: Others, latest: number) =>
  others.stay || Promise.race([others.allAre(step), pause(latest + AGREED_WITHIN_MS - performance.now())])

function refuseReaders({ answers }: Traffic): void {
  for (const answer of answers)
    if (!answer.headersSent && /^(GET|HEAD)$/.test(answer.req.method ?? '')) refuse(answer.req, answer)
}

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

  /** Holds new requests for a moment: their clients would otherwise reconnect just when the port closes. */
  async function holdUntilQuiet(latest: number, others: Others | undefined): Promise<void> {
    isHolding = true
    if (!others) return traffic.untilQuiet(latest - performance.now())
    // Processes that close together need a moment without new clients, so everything begun is answered first.
    const isAnswering = () => [...traffic.answers].some((one) => !held.has(one))
    while (isAnswering() && performance.now() < latest) await pause(LOOK_MS)
    await traffic.untilQuiet(latest - performance.now())
    await untilAllAre('quiet', others, latest)
    // Accepts connections that came meanwhile.
    await nextTurn()
  }

  function answerHeld(): void {
    isHolding = false
    for (const [response, begin] of held) if (!response.destroyed) begin()
    held.clear()
  }

  async function drain(patienceMs: number, others?: Others): Promise<number> {
    const end = performance.now() + patienceMs
    isDraining = true
    for (const response of traffic.answers) response.shouldKeepAlive = false
    await pause(Math.min(noticeMs(others), patienceMs))

    const within = others ? TOGETHER_WITHIN_MS : QUIET_WITHIN_MS
    const latest = Math.min(performance.now() + within, end)
    if (!others?.stay) await holdUntilQuiet(latest, others)
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    // The port stays open while any process listens on it: a client answered before that would reconnect to nobody.
    if (others) await untilAllAre('closed', others, latest)
    answerHeld()

    while (!traffic.isOver && performance.now() < end) {
      await Promise.race([closed, pause(LOOK_MS)])
      // A connection is known to be idle only once everything that has arrived on it was read.
      await nextTurn()
      server.closeIdleConnections()
    }
    const unanswered = traffic.answers.size
    refuseReaders(traffic)
    await nextTurn()
    traffic.cutOff()
    await closed
    return unanswered
  }

  return { server, drain }
}
