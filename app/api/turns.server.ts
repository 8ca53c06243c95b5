/** Expensive calls wait in a queue per tenant, in this process, so that one tenant cannot use up the database. */
import PQueue from 'p-queue'
import { Refusal } from '#app/domain/errors.ts'
import type { Call } from './contract/call.ts'
import type { Caller } from './serve.server.ts'

export type Turns = ReturnType<typeof takeTurns>

const LIMITS = {
  /** Concurrent calls of one tenant. */
  atOnce: 2,
  /** With this many waiting, a tenant gets one at a time while another tenant has called within the last second. */
  crowd: 10,
  /** Waiting calls of one tenant. */
  waiting: 200,
  /** Calls of one person, waiting or running; a page of figures makes seven. */
  perPerson: 100,
  /** How long a call waits in the queue. */
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
    /** Refuses with 429 when the person has too many calls open, with 503 when the tenant's queue is full. */
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

/** Records the calling tenant; answers whether another tenant called within the last second. */
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
