/** Answers a few at once and says so to the rest: a request that would only wait is told to come back. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { RequestHandler } from 'express'
import { requestsInFlight } from '#app/integrations/metrics.server.ts'
import { answerRefusal } from './answer.server.ts'

export type LoadLimits = { inFlight: number; delayMs: number }
const LIMITS: LoadLimits = { inFlight: 100, delayMs: 250 }
const SAMPLE_MS = 500

export type Load = { limit: RequestHandler; inFlight(): number; close(): void }

export function watchLoad({ inFlight: most, delayMs }: LoadLimits = LIMITS): Load {
  let inFlight = 0
  let isLate = false
  const delay = monitorEventLoopDelay({ resolution: 10 })
  delay.enable()
  const sampling = setInterval(() => {
    isLate = delay.percentile(50) / 1e6 > delayMs
    delay.reset()
  }, SAMPLE_MS).unref()

  const limit: RequestHandler = (req, res, next) => {
    if (inFlight >= most || isLate) {
      const detail = 'The service is busy.'
      return answerRefusal(req, res, { status: 503, reason: 'busy', detail, retryAfter: 1 })
    }
    inFlight += 1
    requestsInFlight.set(inFlight)
    res.once('close', () => {
      inFlight -= 1
      requestsInFlight.set(inFlight)
    })
    next()
  }
  return {
    limit,
    inFlight: () => inFlight,
    close() {
      clearInterval(sampling)
      delay.disable()
    },
  }
}
