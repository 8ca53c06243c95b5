/** What is dear to answer waits in a queue of its tenant, in this process: one tenant cannot fill the database. */
import PQueue from 'p-queue'
import { Refusal } from '#app/domain/errors.ts'
import type { Call } from './contract/call.ts'
import type { Caller } from './serve.server.ts'

export type Turns = ReturnType<typeof takeTurns>

const LIMITS = {
  /** Of one tenant, at the same time. */
  atOnce: 2,
  /** As long as so many of it wait, and somebody of another tenant asked within the last second: one at a time. */
  crowd: 10,
  /** Of one tenant, waiting. */
  waiting: 200,
  /** Of one person, waiting or being answered; a page of figures asks seven. */
  perPerson: 100,
  /** How long one waits. */
  patience_ms: 5000,
}

export function takeTurns(limits = LIMITS) {
  const tenants = new Map<string, Tenant>()
  const hasOthers = whoAsks()

  const tenantOf = (id: string): Tenant => {
    const tenant = tenants.get(id) ?? {
      queue: new PQueue({ concurrency: limits.atOnce }),
      people: new Map<number, number>(),
    }
    tenants.set(id, tenant)
    return tenant
  }

  const atOnce = (queue: PQueue, isBeside: boolean) =>
    isBeside && queue.size >= limits.crowd ? 1 : limits.atOnce

  return {
    /** Refuses with 429 somebody who asks too much at once, with 503 where the whole tenant does. */
    async run<Result>(
      call: Call,
      query: Readonly<Record<string, unknown>>,
      { actor, principal }: Caller,
      work: () => Promise<Result>,
    ): Promise<Result> {
      const isBeside = hasOthers(actor.tenant_id)
      if (!isDear(call, query)) return work()
      const { queue, people } = tenantOf(actor.tenant_id)
      queue.concurrency = atOnce(queue, isBeside)
      const mine = people.get(principal.user_id) ?? 0
      if (mine >= limits.perPerson)
        throw new Refusal(429, 'You have asked for too much at once. Please try again in a moment.', {
          retryAfter: 2,
        })
      if (queue.size >= limits.waiting) throw busy()
      people.set(principal.user_id, mine + 1)
      try {
        return await waitFor(queue, limits.patience_ms, work)
      } finally {
        const left = (people.get(principal.user_id) ?? 1) - 1
        if (left > 0) people.set(principal.user_id, left)
        else people.delete(principal.user_id)
        if (people.size === 0) tenants.delete(actor.tenant_id)
      }
    },
  }
}

/** Notes who asks; answers whether anybody of another tenant did within the last second. */
function whoAsks(): (tenantId: string) => boolean {
  const last = new Map<string, number>()
  return (tenantId) => {
    const now = performance.now()
    last.delete(tenantId)
    last.set(tenantId, now)
    for (const [other, at] of last) {
      if (at > now - 1000) break
      last.delete(other)
    }
    return last.size > 1
  }
}

type Tenant = {
  queue: PQueue
  people: Map<number, number>
}

const isDear = ({ dear }: Call, query: Readonly<Record<string, unknown>>): boolean =>
  typeof dear === 'function' ? dear(query) : dear === true

async function waitFor<Result>(
  queue: PQueue,
  patience_ms: number,
  work: () => Promise<Result>,
): Promise<Result> {
  const patience = new AbortController()
  const timer = setTimeout(() => patience.abort(), patience_ms)
  const begin = () => {
    clearTimeout(timer)
    return work()
  }
  try {
    return await queue.add(begin, { signal: patience.signal })
  } catch (error) {
    throw patience.signal.aborted ? busy() : error
  }
}

const busy = () =>
  new Refusal(
    503,
    'Your company is running a lot of searches and reports right now. Please try again in a moment.',
    {
      retryAfter: 2,
    },
  )
