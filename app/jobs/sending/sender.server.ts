/**
 * The loop that sends lifts. Each channel has messages of its own in flight, as many as its carrier takes at a time, so
 * that none waits for another's carrier. Any number of processes may run it at once.
 */
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { inScope, systemActor } from '#app/domain/scope.server.ts'
import {
  CHANNELS,
  type Channel,
  type Claim,
  claimDispatches,
  claimLookUps,
  recoverLeases,
  releaseClaims,
  untilDue,
} from '#app/domain/sending/claims.server.ts'
import type { JobContext } from '#app/jobs/context.ts'
import { lookUp } from './look-up.server.ts'
import { createSemaphore } from './semaphore.ts'
import { sendLift } from './send-lift.server.ts'

/** Of a channel whose carrier names no limit. */
const AT_ONCE = 10
const LOOK_UPS_AT_ONCE = 2
/** Others need connections too. */
const IN_DATABASE_AT_ONCE = 5
const LONGEST_SLEEP = 5_000
/** While a carrier is away, or another process holds what is due, nobody says when that ends. */
const SLEEP_WHILE_AWAY = 500
const SHORTEST_SLEEP = 50
const SLEEP_AFTER_FAILURE = 2_000

export type Sender = {
  /** Something may be due. */
  wake(): void
  /** Sends everything that is due now. */
  drain(): Promise<void>
  /** Ends the loop: what was begun is finished, what was only claimed is given back. */
  stop(): Promise<void>
}

const LANES = [...CHANNELS, 'look_up'] as const
type Lane = (typeof LANES)[number]
type Begun = { count: number; pause: number }

export function createSender(context: JobContext): Sender {
  const { database, carriers, log, pulse } = context
  const owner = `${hostname()}:${process.pid}:${randomUUID()}`
  const stopping = new AbortController()
  const inFlight: Record<Lane, Set<Promise<void>>> = {
    sms: new Set(),
    email: new Set(),
    in_app: new Set(),
    look_up: new Set(),
  }
  /** Whose message of a channel was the last: the tenants that follow are next. */
  const served: Partial<Record<Channel, string>> = {}
  const enterDatabase = createSemaphore(IN_DATABASE_AT_ONCE)
  let ring = () => {}

  const circuitOf = (lane: Lane) => (lane === 'sms' || lane === 'email' ? carriers[lane].circuit : undefined)
  const limitOf = (lane: Lane) =>
    lane === 'look_up' ? LOOK_UPS_AT_ONCE : (circuitOf(lane)?.limit() ?? AT_ONCE)
  const roomIn = (lane: Lane) => Math.max(0, limitOf(lane) - inFlight[lane].size)
  const everything = () => Object.values(inFlight).flatMap((lane) => [...lane])

  function start(lane: Lane, claim: Claim): void {
    const work = (
      lane === 'look_up'
        ? lookUp(context, claim)
        : sendLift(context, claim, {
            owner,
            signal: stopping.signal,
            inTenant: (run) => enterDatabase(() => inScope(database, systemActor(claim.tenant_id), run)),
          })
    )
      .catch((err: unknown) => log.error({ event: 'lift.failed', dispatch: claim.id, err }))
      .finally(() => {
        inFlight[lane].delete(work)
        ring()
      })
    inFlight[lane].add(work)
  }

  async function claim(lane: Lane, limit: number): Promise<Claim[]> {
    if (lane === 'look_up') {
      const channels = CHANNELS.filter((channel) => !circuitOf(channel)?.isOpen())
      return claimLookUps(database, channels, limit)
    }
    const claims = await claimDispatches(database, owner, { channel: lane, limit, after: served[lane] })
    const last = claims.at(-1)
    if (last) served[lane] = last.tenant_id
    return claims
  }

  /** Begins what is due, as far as there is room, and says after which pause more may be. */
  async function begin(): Promise<Begun> {
    const until = await pulse.of('sender', () => untilDue(database))
    if (until.lapsed <= 0) {
      await recoverLeases(database)
      return { count: 1, pause: 0 }
    }
    const begun: Begun = { count: 0, pause: Math.min(LONGEST_SLEEP, until.lapsed) }
    for (const lane of LANES) {
      const { count, pause } = await beginIn(lane, until[lane])
      begun.count += count
      begun.pause = Math.min(begun.pause, pause)
    }
    return begun
  }

  async function beginIn(lane: Lane, until: number): Promise<Begun> {
    if (circuitOf(lane)?.isOpen()) return { count: 0, pause: SLEEP_WHILE_AWAY }
    const room = roomIn(lane)
    // What is in flight rings when it ends.
    if (room === 0) return { count: 0, pause: LONGEST_SLEEP }
    if (until > 0) return { count: 0, pause: until }
    const claims = await pulse.of('sender', () => claim(lane, room))
    for (const one of claims) start(lane, one)
    return { count: claims.length, pause: SLEEP_WHILE_AWAY }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const rung = new Promise<void>((resolve) => {
        ring = resolve
      })
      const { count, pause } = await begin().catch((err: unknown): Begun => {
        log.error({ event: 'sender.failed', err })
        return { count: 0, pause: SLEEP_AFTER_FAILURE }
      })
      if (count > 0) continue
      const timer = setTimeout(ring, Math.max(SHORTEST_SLEEP, pause))
      await rung
      clearTimeout(timer)
    }
  }

  async function drain(): Promise<void> {
    while (!stopping.signal.aborted) {
      const { count } = await begin()
      const works = everything()
      if (works.length > 0) await Promise.race(works)
      else if (count === 0) return
    }
  }

  const loop = context.isIdle ? undefined : run()
  return {
    wake: () => ring(),
    drain,
    async stop() {
      stopping.abort()
      ring()
      await loop
      await Promise.all(everything())
      await releaseClaims(database, owner).catch(() => {})
    },
  }
}
