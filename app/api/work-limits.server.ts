/**
 * How often one person may ask for what is sent to others or costs much, on the screens and by calls together.
 * The counts are of this process; what must never be too often is counted in the database besides.
 */
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { Refusal } from '#app/domain/errors.ts'
import type { Rate } from './contract/limits.ts'

export type WorkLimits = ReturnType<typeof limitWork>

export function limitWork() {
  const limiters = new Map<string, RateLimiterMemory>()
  const limiterOf = ({ name, perMinute }: Rate) => {
    const limiter =
      limiters.get(name) ?? new RateLimiterMemory({ points: perMinute, duration: 60, keyPrefix: name })
    limiters.set(name, limiter)
    return limiter
  }
  return {
    async take(rate: Rate | undefined, user_id: number): Promise<void> {
      if (!rate) return
      await limiterOf(rate)
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
