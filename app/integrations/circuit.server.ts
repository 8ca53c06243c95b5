/** A circuit breaker that also adapts, to successes and failures, how many messages are with a carrier at once. */
import { createBreaker, type Settings } from './breaker.server.ts'
import { type Carrier, CarrierError, type Circuit } from './carrier.ts'
import { carrierCalls } from './metrics.server.ts'

/** When calls wait and nothing at all is heard from the carrier for this long, it hangs. */
const SILENCE_MS = 4_000

/** Gives the carrier its own circuit. While that is open, `send` refuses at once and hands nothing over. */
export function withCircuit(carrier: Carrier & { check(): Promise<string | null> }, settings: Settings) {
  const { circuit, call } = createCircuit(() => carrier.check(), settings)
  return { ...carrier, circuit, send: (message) => call(() => carrier.send(message)) } satisfies Carrier
}

type Begun = { era: number }

function createCircuit(check: () => Promise<string | null>, settings: Settings) {
  const { name } = settings
  const stopping = new AbortController()
  const breaker = createBreaker(check, settings, stopping.signal)
  let heardAt = 0
  const waiting = new Set<Begun>()

  /** A call begun before the carrier was tried again says nothing about its state now. */
  const isOld = (begun: Begun) => begun.era !== breaker.era()

  /** Calls that have hung since before the carrier was tried again take no room from new ones. */
  const hanging = () => [...waiting].filter(isOld).length

  function succeed(): void {
    heardAt = performance.now()
    breaker.succeed()
  }

  async function call<Result>(work: () => Promise<Result>): Promise<Result> {
    if (stopping.signal.aborted) throw new CarrierError('busy', `${name}:stopped`)
    if (breaker.isOpen()) throw new CarrierError('busy', `${name}:away`, secondsUntil(breaker.checksAt()))
    const begun = { era: breaker.era() }
    waiting.add(begun)
    const endWatch = watchSilence({
      heardAt: () => heardAt,
      isOver: () => isOld(begun),
      silent: () => breaker.open('silent'),
    })
    try {
      const result = await untilAborted(stopping.signal, work(), `${name}:stopped`)
      carrierCalls.inc({ carrier: name, outcome: 'taken' })
      succeed()
      return result
    } catch (error) {
      if (error instanceof CarrierError && !stopping.signal.aborted) learnFrom(error, begun)
      throw error
    } finally {
      endWatch()
      waiting.delete(begun)
    }
  }

  function learnFrom(error: CarrierError, begun: Begun): void {
    carrierCalls.inc({ carrier: name, outcome: error.outcome })
    if (!error.isOutage) succeed()
    else if (!isOld(begun)) breaker.fail(error)
  }

  const circuit: Circuit = {
    limit: () => (breaker.isOpen() || stopping.signal.aborted ? 0 : breaker.limit() + hanging()),
    isOpen: breaker.isOpen,
    stop: () => stopping.abort(),
  }
  return { circuit, call }
}

type Watched = { heardAt: () => number; isOver: () => boolean; silent: () => void }

function watchSilence({ heardAt, isOver, silent }: Watched): () => void {
  const since = performance.now()
  let silence: NodeJS.Timeout | undefined
  const look = () => {
    const rest = Math.max(heardAt(), since) + SILENCE_MS - performance.now()
    if (isOver()) return
    if (rest <= 0) return silent()
    silence = setTimeout(look, rest)
  }
  look()
  return () => clearTimeout(silence)
}

const secondsUntil = (time: number) => Math.max(1, Math.ceil((time - performance.now()) / 1000))

/** When the process ends, nobody waits for the answer any longer. */
async function untilAborted<Result>(
  signal: AbortSignal,
  work: Promise<Result>,
  code: string,
): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>()
  const giveUp = () => reject(new CarrierError('unclear', code))
  signal.addEventListener('abort', giveUp)
  try {
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', giveUp)
  }
}
