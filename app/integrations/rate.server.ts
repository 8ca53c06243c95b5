/** Counts how often a key occurred within a minute, across all processes of this site. */
import cluster from 'node:cluster'
import { type RateLimiterAbstract, RateLimiterCluster, RateLimiterMemory } from 'rate-limiter-flexible'

export type Limiter = RateLimiterAbstract

const shared = new Map<string, Limiter>()

export function limiterOf({ name, perMinute }: { name: string; perMinute: number }): Limiter {
  const options = { points: perMinute, duration: 60, keyPrefix: name }
  if (!cluster.isWorker) return new RateLimiterMemory(options)
  const limiter = shared.get(name) ?? new RateLimiterCluster(options)
  shared.set(name, limiter)
  return limiter
}
