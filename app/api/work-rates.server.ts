/**
 * How often one person may ask for what is sent to others or costs much, on the screens and by calls together.
 * The counts are of this process; what must never be too often is counted in the database besides.
 */
import { createMiddleware } from 'hono/factory'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { Refusal } from '#app/domain/errors.ts'
import type { ApiEnv } from './env.server.ts'

type Work = { name: string; perMinute: number; matches: RegExp }

/** Read as `POST /path`. */
const WORK: readonly Work[] = [
  { name: 'invitations', perMinute: 20, matches: /^POST \/auth\/resend-welcome-email/ },
  {
    name: 'exports',
    perMinute: 10,
    matches: /^(GET|POST) .*\/(exports?|data_export)(\.\w+)?$/,
  },
  { name: 'tests', perMinute: 10, matches: /^POST \/lifts\/\d+\/send_test$/ },
  { name: 'codes', perMinute: 10, matches: /^POST \/users\/me\/contacts/ },
  { name: 'imports', perMinute: 10, matches: /^POST .*\/import$/ },
]

export function limitWork() {
  const limits = WORK.map((work) => ({
    ...work,
    limiter: new RateLimiterMemory({ points: work.perMinute, duration: 60, keyPrefix: work.name }),
  }))
  return createMiddleware<ApiEnv>(async (c, next) => {
    const asked = `${c.req.method} ${c.req.path.replace('/api/v1', '')}`
    const work = limits.find(({ matches }) => matches.test(asked))
    if (work)
      await work.limiter.consume(c.var.principal.user_id).catch((refused: unknown) => {
        if (!(refused instanceof RateLimiterRes)) throw refused
        const retryAfter = Math.max(1, Math.ceil(refused.msBeforeNext / 1000))
        throw new Refusal(429, 'This was asked for too often. Please try again in a minute.', { retryAfter })
      })
    await next()
  })
}
