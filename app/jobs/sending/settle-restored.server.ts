/** After a restore: what was due since the backup may have left already, so none of it is sent by itself. */
import { runOnce } from 'graphile-worker'
import { numberAnew } from '#app/db/backup/number-anew.server.ts'
import type { Databases } from '#app/db/databases.server.ts'
import { inScope, type Scope, systemActor } from '#app/domain/scope/scope.server.ts'
import { holdMissed, tenantsWithDue } from '#app/domain/sending/hold-missed.server.ts'
import { tellOfRestored } from '#app/domain/sending/telling-of-late.server.ts'
import { briefSponsors } from '../brief-sponsors.server.ts'
import type { JobLog } from '../context.ts'
import { openJobsPool } from '../jobs-pool.server.ts'
import { continueStalled } from '../look-after-journeys.server.ts'
import { planJourney } from '../plan-journey.server.ts'
import { remindCommitments } from '../remind-commitments.server.ts'
import { summarizeWeeks } from '../summarize-weeks.server.ts'
import { quiet } from '../tasks.server.ts'

/** Messages of journeys beside lifts. Invitations and codes are sent again: only the new ones work. */
const DROPPED = ['mail-sponsor', 'mail-summary', 'send-commitments', 'send-encouragement']

type Settled = {
  /** Lifts that wait until somebody sends them. */
  held: number
  dropped: number
}

/** Called while nothing else runs. */
export async function settleRestored(
  { worker: database, workerUrl, ownerUrl }: Pick<Databases, 'worker' | 'workerUrl' | 'ownerUrl'>,
  log: JobLog,
  at = new Date(),
): Promise<Settled> {
  const settled = { held: 0, dropped: 0 }
  const drop = () => {
    settled.dropped += 1
  }
  if (ownerUrl) await numberAnew(ownerUrl)
  for (const queueDue of [briefSponsors, summarizeWeeks, remindCommitments])
    await queueDue({ database, log }, {}, at)
  await continueStalled({ database, log })
  const pgPool = openJobsPool(workerUrl)
  try {
    // Jobs that were running when the backup was made are not running any more.
    await pgPool.query(`select graphile_worker.force_unlock_workers(array_agg(distinct locked_by))
      from graphile_worker._private_jobs where locked_by is not null`)
    const taskList = {
      ...Object.fromEntries(DROPPED.map((name) => [name, drop])),
      // A launch that was being planned has messages that are not planned yet.
      'plan-journey': (payload: unknown) => planJourney({ database }, payload),
    }
    await runOnce({ pgPool, taskList, logger: quiet(log), noHandleSignals: true })
  } finally {
    await pgPool.end()
  }
  for (const tenant of await tenantsWithDue(database)) {
    const within = <Result>(work: (scope: Scope) => Promise<Result>) =>
      inScope(database, systemActor(tenant), work)
    const lifts = new Set<number>()
    for (let found = await within(holdMissed); found.missed > 0; found = await within(holdMissed)) {
      settled.held += found.lifts.length
      for (const id of found.lifts) lifts.add(id)
    }
    if (lifts.size > 0) await within((scope) => tellOfRestored(scope, [...lifts]))
  }
  return settled
}
