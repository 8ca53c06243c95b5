/**
 * A circuit breaker with a limit for each carrier: how many messages it is handed at a time, and none while it is away.
 * The limit grows with what it takes and shrinks with what fails, so that an outage catches a handful of messages.
 */
import { type Carrier, CarrierError, type Circuit } from './carrier.ts'
import { carrierCalls, carrierCircuit } from './metrics.server.ts'

const FIRST_LIMIT = 4
const HIGHEST_LIMIT = 10
/** Calls that wait while nothing at all is heard from the carrier: it hangs. */
const SILENCE_MS = 4_000
const FAILURES_IN_A_ROW = 5
const PAUSE_MS = 1_500
/** A carrier that answers and takes nothing costs a message for each try: after some, tries become rare. */
const QUICK_TRIES = 12
const LONGEST_PAUSE_MS = 60_000
const CHECK_MS = 4_000

type Log = Record<'info' | 'warn', (fields: Record<string, unknown>) => void>
type Settings = { name: 'sms' | 'email'; log: Log }

/** The carrier with a circuit of its own. While that is open, `send` refuses at once and hands nothing over. */
export function withCircuit(carrier: Carrier & { check(): Promise<string | null> }, settings: Settings) {
  const { circuit, call } = createCircuit(() => carrier.check(), settings)
  return { ...carrier, circuit, send: (message) => call(() => carrier.send(message)) } satisfies Carrier
}

function createCircuit(check: () => Promise<string | null>, { name, log }: Settings) {
  /** After a pause the first messages have to show that the carrier takes any: until then it is half open. */
  let state: 'closed' | 'half_open' | 'open' = 'closed'
  let limit = FIRST_LIMIT
  let failures = 0
  let pause = PAUSE_MS
  /** How often messages were let through in vain since the carrier last took one. */
  let tries = 0
  let heardAt = 0
  let checksAt = 0
  let timer: NodeJS.Timeout | undefined
  /** Counts each time the carrier is tried again; of the calls that wait for an answer, in which era they began. */
  let era = 0
  const waiting = new Set<{ era: number }>()
  const stopping = new AbortController()
  turn('closed')

  function turn(next: typeof state): void {
    state = next
    for (const one of ['closed', 'half_open', 'open'] as const)
      carrierCircuit.set({ carrier: name, state: one }, one === next ? 1 : 0)
  }

  function open(why: string, seconds = 0): void {
    if (state === 'open' || stopping.signal.aborted) return
    turn('open')
    log.warn({ event: 'carrier.away', carrier: name, why })
    checkIn(Math.max(pause, Math.min(seconds * 1000, LONGEST_PAUSE_MS)))
    pause = tries < QUICK_TRIES ? PAUSE_MS : Math.min(2 * pause, LONGEST_PAUSE_MS)
  }

  function checkIn(ms: number): void {
    checksAt = performance.now() + ms
    timer = setTimeout(async () => {
      const why = await within(CHECK_MS, check())
      if (state !== 'open' || stopping.signal.aborted) return
      if (why === null) tryAgain()
      else checkIn(PAUSE_MS)
    }, ms).unref()
  }

  function tryAgain(): void {
    clearTimeout(timer)
    limit = 1
    failures = 0
    tries += 1
    era += 1
    turn('half_open')
    log.info({ event: 'carrier.tried-again', carrier: name })
  }

  /** It answers, whatever it says. */
  function succeed(): void {
    heardAt = performance.now()
    failures = 0
    if (state === 'open') tryAgain()
    else limit = Math.min(limit + 1, HIGHEST_LIMIT)
    if (state === 'half_open' && limit > 1) {
      pause = PAUSE_MS
      tries = 0
      turn('closed')
      log.info({ event: 'carrier.back', carrier: name })
    }
  }

  function fail({ code, retryAfter }: CarrierError): void {
    limit = Math.max(1, Math.floor(limit / 2))
    failures += 1
    if (state === 'half_open' || failures >= FAILURES_IN_A_ROW || retryAfter) open(code, retryAfter)
  }

  /** What was begun before the carrier was tried again says nothing of how it is now. */
  const isOld = (call: { era: number }) => call.era !== era

  /** What hangs from before the carrier was tried again takes nobody's room. */
  const hanging = () => [...waiting].filter(isOld).length

  async function call<Result>(work: () => Promise<Result>): Promise<Result> {
    if (stopping.signal.aborted) throw new CarrierError('busy', `${name}:stopped`)
    if (state === 'open') throw new CarrierError('busy', `${name}:away`, secondsUntil(checksAt))
    const begun = { era }
    waiting.add(begun)
    const endWatch = watchSilence(begun)
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

  function learnFrom(error: CarrierError, begun: { era: number }): void {
    carrierCalls.inc({ carrier: name, outcome: error.outcome })
    if (!error.isOutage) succeed()
    else if (!isOld(begun)) fail(error)
  }

  /** From the beginning of a call until its end. */
  function watchSilence(begun: { era: number }): () => void {
    const since = performance.now()
    let silence: NodeJS.Timeout | undefined
    const look = () => {
      const rest = Math.max(heardAt, since) + SILENCE_MS - performance.now()
      if (isOld(begun)) return
      if (rest <= 0) return open('silent')
      silence = setTimeout(look, rest)
    }
    look()
    return () => clearTimeout(silence)
  }

  const circuit: Circuit = {
    limit: () => (state === 'open' || stopping.signal.aborted ? 0 : limit + hanging()),
    isOpen: () => state === 'open',
    stop() {
      clearTimeout(timer)
      stopping.abort()
    },
  }
  return { circuit, call }
}

const secondsUntil = (time: number) => Math.max(1, Math.ceil((time - performance.now()) / 1000))

/** What the check says, or that it takes too long. */
async function within(ms: number, checked: Promise<string | null>): Promise<string | null> {
  const { promise, resolve } = Promise.withResolvers<string>()
  const timer = setTimeout(resolve, ms, 'silent')
  try {
    return await Promise.race([checked.catch((error: unknown) => String(error)), promise])
  } finally {
    clearTimeout(timer)
  }
}

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
