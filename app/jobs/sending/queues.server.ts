/**
 * A job queue for each carrier and one for the rest, so that a hanging carrier blocks only its own jobs, and a long
 * import's invitations no single mail.
 */
import type { Pool } from 'pg'
import type { Carriers } from '#app/integrations/carrier.ts'
import { keepQueue } from '#app/jobs/keep-queue.server.ts'

/** Jobs at once, by the flag that `enqueue_job` sets. */
const AT_ONCE = { sms: 2, email: 2, mass_email: 2, other: 2 } as const
type Kind = keyof typeof AT_ONCE
const KINDS = Object.keys(AT_ONCE) as Kind[]
const CARRIERS = { sms: 'sms', email: 'email', mass_email: 'email' } as const

type Setting = Omit<Parameters<typeof keepQueue>[0], 'onStart'> & { carriers: Carriers; openPool(): Pool }

/** `onStart` is called whenever a queue takes jobs under a new id. */
export async function keepQueues({ options, carriers, openPool, ...setting }: Setting, onStart: () => void) {
  const pools: Pool[] = []
  const poolOfItsOwn = () => {
    const pool = openPool()
    pools.push(pool)
    return pool
  }
  const ids = new Map<Kind, string>()
  const queues = await Promise.all(
    KINDS.map((kind) =>
      keepQueue({
        ...setting,
        options: {
          ...options,
          pgPool: poolOfItsOwn(),
          concurrency: AT_ONCE[kind],
          pollInterval: 2_000,
          forbiddenFlags: () => [...KINDS.filter((other) => other !== kind), ...findAway(carriers)],
          crontab: kind === 'other' ? TIMETABLE : '',
        },
        onStart(id) {
          ids.set(kind, id)
          onStart()
        },
      }),
    ),
  )
  return {
    ids: () => [...ids.values()],
    async stop() {
      await Promise.allSettled(queues.map((queue) => queue.stop()))
      await Promise.all(pools.map((pool) => pool.end()))
    },
  }
}

export const findAway = (carriers: Carriers): Kind[] =>
  KINDS.filter((kind) => kind !== 'other' && carriers[CARRIERS[kind]].circuit?.isOpen())

const TIMES = {
  'look-after-assessments': '* * * * *',
  'look-after-journeys': '*/5 * * * *',
  'end-visits': '*/5 * * * *',
  'count-tenants': '*/5 * * * *',
  'brief-sponsors': '7,22,37,52 * * * *',
  'summarize-weeks': '10,25,40,55 * * * *',
  'remind-commitments': '2,17,32,47 * * * *',
  'remove-unused-files': '17 * * * *',
  'forget-messages': '37 * * * *',
  'forget-answers': '42 * * * *',
  'move-files-out-again': '22 2 * * *',
  'forget-failed-jobs': '27 2 * * *',
  'purge-deleted': '47 2 * * *',
}

/** A machine that slept for hours has missed many runs, and catches up with one. */
export const TIMETABLE = Object.entries(TIMES)
  .map(([task, times]) => `${times} ${task} ?jobKey=${task}`)
  .join('\n')
