/** Tracks a server's connections and open answers, and whether any client is between an answer and its next request. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'

/** A new connection sends its request within this time. */
const SPEECHLESS_MS = 500
/** A client that continues after an answer has reconnected within this time, even on a phone network. */
const QUIET_MS = 300
/** In a turn of the event loop shorter than this no connection goes unnoticed. */
const SHORT_TURN_MS = 0.2
const SHORT_WITHIN_MS = 500

type Connection = { since: number; heard: number }

export class Traffic {
  readonly answers = new Set<ServerResponse>()
  readonly #connections = new Map<Socket, Connection>()
  #movedAt = 0

  get isOver(): boolean {
    return this.#connections.size === 0
  }

  connect(socket: Socket): void {
    this.#move()
    this.#connections.set(socket, { since: performance.now(), heard: 0 })
    socket.once('close', () => this.#connections.delete(socket))
  }

  ask(request: IncomingMessage, response: ServerResponse): void {
    this.#move()
    this.answers.add(response)
    response.once('finish', () => this.#move())
    response.once('close', () => {
      this.answers.delete(response)
      const connection = this.#connections.get(request.socket)
      if (connection) connection.heard = request.socket.bytesRead
    })
  }

  /** Waits until no client is between an answer and its next request, or `withinMs` is over. */
  async untilQuiet(withinMs: number): Promise<void> {
    const latest = performance.now() + withinMs
    for (let now = performance.now(); now < latest + SHORT_WITHIN_MS; now = performance.now()) {
      const rest = Math.min(this.#movedAt + QUIET_MS, latest) - now
      if (rest > 0) await pause(rest)
      else if (await this.#isShortTurn()) return
    }
  }

  /** Node's version takes an ended answer for a delivered one, and would cut off slow readers. */
  closeIdle(): void {
    const answered = new Set([...this.answers].map(({ socket }) => socket))
    for (const [socket, { since, heard }] of this.#connections) {
      const isNew = heard === 0 && performance.now() - since < SPEECHLESS_MS
      if (socket.bytesRead === heard && !isNew && !answered.has(socket)) socket.destroy()
    }
  }

  cutOff(): void {
    for (const socket of this.#connections.keys()) socket.destroy()
  }

  #move(): void {
    this.#movedAt = performance.now()
  }

  /** Whether every connection made so far was accepted, with none since. */
  async #isShortTurn(): Promise<boolean> {
    const began = performance.now()
    await nextTurn()
    return this.#movedAt < began && performance.now() - began < SHORT_TURN_MS
  }
}
