/** Rate limits per client address, to blunt a flood. Attempts per person and per code are counted in the database. */
import type { Request, RequestHandler } from 'express'
import { RateLimiterRes } from 'rate-limiter-flexible'
import type { Rate as CallRate } from '#app/api/contract/limits.ts'
import { type Limiter, limiterOf } from '#app/integrations/rate.server.ts'
import { answerRefusal } from './answer.server.ts'
import { callOf } from './call-of.server.ts'

type Rate = CallRate & { matches(req: Request): boolean }

const isPost = (req: Request) => req.method === 'POST'
/** The identity provider's back channel, where one server asks on behalf of many people. */
const isBackChannel = (path: string) =>
  /^\/idp\/[^/]+\/(oauth2\/(token|revoke|userInfo)|\.well-known\/)/.test(path)

export const RATES: readonly Rate[] = [
  {
    name: 'any',
    perMinute: 3000,
    // Load balancers, benchmarks and the process itself connect from this machine; load shedding limits those.
    matches: (req) => !req.res?.locals.isDirectLoopback && !isBackChannel(req.path),
  },
  {
    name: 'sign-in',
    perMinute: 120,
    matches: (req) => isPost(req) && /^\/(login|lift\/[^/]+\/enter)(\/|$|\.data$)/.test(req.path),
  },
  { name: 'reports', perMinute: 30, matches: (req) => isPost(req) && req.path === '/reports' },
  { name: 'auth', perMinute: 240, matches: (req) => /^\/auth\//.test(req.path) },
  {
    name: 'authorize',
    perMinute: 240,
    matches: (req) => /^\/idp\//.test(req.path) && !isBackChannel(req.path),
  },
]

export function limitRates(rates: readonly Rate[] = RATES): RequestHandler {
  const limits = rates.map((rate) => ({ ...rate, limiter: limiterOf(rate) }))
  const ofCalls = new Map<string, Limiter>()
  return async (req, res, next) => {
    const key = network(res.locals.ip)
    try {
      for (const { matches, limiter } of limits) if (matches(req)) await limiter.consume(key)
      const rate = callOf(req)?.perAddress
      if (rate) await keep(ofCalls, rate).consume(key)
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) return next(refused)
      const detail = 'Too many requests, please try again later.'
      const retryAfter = refused.msBeforeNext / 1000
      return answerRefusal(req, res, { status: 429, reason: 'rate', detail, retryAfter })
    }
    next()
  }
}

function keep(limiters: Map<string, Limiter>, rate: CallRate): Limiter {
  const limiter = limiters.get(rate.name) ?? limiterOf(rate)
  limiters.set(rate.name, limiter)
  return limiter
}

/** One household or machine has a whole IPv6 /64. */
const network = (ip: string) => (ip.includes(':') ? expand(ip).slice(0, 4).join(':') : ip)

function expand(ip: string): string[] {
  const [head = '', tail] = ip.split('::')
  const first = head.split(':').filter(Boolean)
  const last = tail?.split(':').filter(Boolean) ?? []
  return [...first, ...Array<string>(Math.max(0, 8 - first.length - last.length)).fill('0'), ...last]
}
