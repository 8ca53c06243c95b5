/** Tracks whether a carrier is away, and how many messages it gets at once. */
import type { CarrierError } from './carrier.ts'
import { carrierCircuit } from './metrics.server.ts'

const FIRST_LIMIT = 4
const HIGHEST_LIMIT = 10
const FAILURES_IN_A_ROW = 5
const PAUSE_MS = 1_500
/** A carrier that passes its check but takes nothing costs a message per try, so tries become rare after this many. */
const QUICK_TRIES = 12
const LONGEST_PAUSE_MS = 60_000
const CHECK_MS = 4_000

type Log = Record<'info' | 'warn', (fields: Record<string, unknown>) => void>
export type Settings = { name: 'sms' | 'email'; log: Log }
type Check = () => Promise<string | null>

/** After a pause the first messages have to prove that the carrier takes them: until then the breaker is half open. */
const STATES = ['closed', 'half_open', 'open'] as const
type State = (typeof STATES)[number]

export function createBreaker(check: Check, { name, log }: Settings, stopping: AbortSignal) {
  let state: State = 'closed'
  let limit = FIRST_LIMIT
  let failures = 0
  let era = 0
  const isAway = () => state === 'open' && !stopping.aborted
  const retries = createRetries({ check, isAway, tryAgain })
  stopping.addEventListener('abort', retries.cancel)
  turn('closed')

  function turn(next: State): void {
    state = next
    for (const one of STATES) carrierCircuit.set({ carrier: name, state: one }, one === next ? 1 : 0)
  }

  function open(why: string, seconds = 0): void {
    if (state === 'open' || stopping.aborted) return
    turn('open')
    log.warn({ event: 'carrier.away', carrier: name, why })
    retries.begin(seconds)
  }

  function tryAgain(): void {
    retries.count()
    limit = 1
    failures = 0
    era += 1
    turn('half_open')
    log.info({ event: 'carrier.tried-again', carrier: name })
  }

  function succeed(): void {
    failures = 0
    if (state === 'open') tryAgain()
    else limit = Math.min(limit + 1, HIGHEST_LIMIT)
    if (state === 'half_open' && limit > 1) {
      retries.forget()
      turn('closed')
      log.info({ event: 'carrier.back', carrier: name })
    }
  }

  function fail({ code, retryAfter }: CarrierError): void {
    limit = Math.max(1, Math.floor(limit / 2))
    failures += 1
    if (state === 'half_open' || failures >= FAILURES_IN_A_ROW || retryAfter) open(code, retryAfter)
  }

  return {
    open,
    succeed,
    fail,
    isOpen: () => state === 'open',
    limit: () => limit,
    era: () => era,
    checksAt: retries.checksAt,
  }
}

type Retrying = { check: Check; isAway: () => boolean; tryAgain: () => void }

/** Decides when to check whether a carrier that is away is back. */
function createRetries({ check, isAway, tryAgain }: Retrying) {
  let pause = PAUSE_MS
  let tries = 0
  let checksAt = 0
  let timer: NodeJS.Timeout | undefined

  function checkIn(ms: number): void {
    checksAt = performance.now() + ms
    timer = setTimeout(async () => {
      const why = await within(CHECK_MS, check())
      if (!isAway()) return
      if (why === null) tryAgain()
      else checkIn(PAUSE_MS)
    }, ms).unref()
  }

  return {
    begin(seconds: number) {
      checkIn(Math.max(pause, Math.min(seconds * 1000, LONGEST_PAUSE_MS)))
      pause = tries < QUICK_TRIES ? PAUSE_MS : Math.min(2 * pause, LONGEST_PAUSE_MS)
    },
    count() {
      clearTimeout(timer)
      tries += 1
    },
    forget() {
      pause = PAUSE_MS
      tries = 0
    },
    cancel: () => clearTimeout(timer),
    checksAt: () => checksAt,
  }
}

async function within(ms: number, checked: Promise<string | null>): Promise<string | null> {
  const { promise, resolve } = Promise.withResolvers<string>()
  const timer = setTimeout(resolve, ms, 'silent')
  try {
    return await Promise.race([checked.catch((error: unknown) => String(error)), promise])
  } finally {
    clearTimeout(timer)
  }
}
