/** A circuit breaker that also limits, by what succeeds and fails, how many messages are with a carrier at once. */
import { createBreaker, type Settings } from './breaker.server.ts'
import { type Carrier, CarrierError, type Circuit } from './carrier.ts'
import { carrierCalls } from './metrics.server.ts'

/** Calls that wait while nothing at all is heard from the carrier: it hangs. */
const SILENCE_MS = 4_000

/** The carrier with a circuit of its own. While that is open, `send` refuses at once and hands nothing over. */
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

  /** What was begun before the carrier was tried again says nothing of how it is now. */
  const isOld = (begun: Begun) => begun.era !== breaker.era()

  /** What hangs from before the carrier was tried again takes nobody's room. */
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

/** Nobody waits for the answer any more once the process ends. */
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
