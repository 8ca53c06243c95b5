/** Rate limits per person for calls that send messages or cost much. In memory; hard limits are counted in the database. */
import { RateLimiterRes } from 'rate-limiter-flexible'
import { Refusal } from '#app/domain/errors.ts'
import { type Limiter, limiterOf } from '#app/integrations/rate.server.ts'
import type { Rate } from './contract/limits.ts'

export type WorkLimits = ReturnType<typeof limitWork>

export function limitWork() {
  const limiters = new Map<string, Limiter>()
  const keep = (rate: Rate) => {
    const limiter = limiters.get(rate.name) ?? limiterOf(rate)
    limiters.set(rate.name, limiter)
    return limiter
  }
  return {
    async take(rate: Rate | undefined, user_id: number): Promise<void> {
      if (!rate) return
      await keep(rate)
        .consume(user_id)
        .catch((refused: unknown) => {
          if (!(refused instanceof RateLimiterRes)) throw refused
          const retryAfter = Math.max(1, Math.ceil(refused.msBeforeNext / 1000))
          throw new Refusal(429, 'Too many requests. Please try again in a minute.', {
            retryAfter,
          })
        })
    },
  }
}
