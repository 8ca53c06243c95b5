/**
 * The rate limit of one API key, and the headers that tell what is left of it. The counts are kept in memory only.
 */
import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { RateLimiterRes } from 'rate-limiter-flexible'
import { Refusal } from '#app/domain/errors.ts'
import { type Limiter, limiterOf } from '#app/integrations/rate.server.ts'
import { KEYS } from './contract/limits.ts'
import type { ApiEnv } from './env.server.ts'

export const limitKeys = (perMinute = KEYS.perMinute): Limiter => limiterOf({ name: KEYS.name, perMinute })

export async function takeOne(c: Context<ApiEnv>, rates: Limiter, id: number): Promise<void> {
  const taken = await rates.consume(id).catch((refused: unknown) => {
    if (refused instanceof RateLimiterRes) return refused
    throw refused
  })
  const reset = Math.max(1, Math.ceil(taken.msBeforeNext / 1000))
  c.set('rate', { limit: rates.points, remaining: taken.remainingPoints, reset })
  if (taken.consumedPoints > rates.points)
    throw new Refusal(429, 'This key has made too many calls. Please try again in a minute.', {
      retryAfter: reset,
    })
}

/** On every answer to a key, refusals included. */
export const tellRate = createMiddleware<ApiEnv>(async (c, next) => {
  await next()
  const rate = c.get('rate')
  if (!rate) return
  c.res.headers.set('ratelimit-limit', String(rate.limit))
  c.res.headers.set('ratelimit-remaining', String(rate.remaining))
  c.res.headers.set('ratelimit-reset', String(rate.reset))
})
