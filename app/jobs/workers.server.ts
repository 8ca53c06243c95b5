/** All background work: the sender of lifts, and the queue of generic jobs. */
import { setTimeout as sleep } from 'node:timers/promises'
import { runOnce } from 'graphile-worker'
import { installQueue } from '#app/db/queue.server.ts'
import { keepZoneRules } from '#app/domain/planning/zone-rules.server.ts'
import type { Database } from '#app/domain/scope/scope.server.ts'
import type { Carriers } from '#app/integrations/carrier.ts'
import type { IdentityAdmin } from '#app/integrations/identity-admin.ts'
import { createOutbox } from '#app/integrations/mail/outbox.server.ts'
import type { JobContext, JobLog } from './context.ts'
import { openJobsPool } from './jobs-pool.server.ts'
import { type Listener, listenForDispatches } from './listen.server.ts'
import { lookAfterAssessments } from './look-after-assessments.server.ts'
import { lookAfterJourneys } from './look-after-journeys.server.ts'
import { createPulse } from './pulse.server.ts'
import { freeAbandoned, keepFreeing } from './sending/abandoned.server.ts'
import { outboxStore } from './sending/outbox-store.server.ts'
import { findAway, keepQueues } from './sending/queues.server.ts'
import { createSender } from './sending/sender.server.ts'
import { gaugeUnknown } from './sending/unknown-gauge.server.ts'
import { quiet, taskList } from './tasks.server.ts'

/** How long a process that ends waits for carriers. */
const PATIENCE_MS = 2_000

export type WorkersOptions = {
  databases: {
    worker: Database
    replica?: JobContext['replica']
    workerUrl: string
    ownerUrl?: string | undefined
  }
  origin: string
  carriers?: Carriers
  outboxFolder?: JobContext['outboxFolder']
  identityAdmin: IdentityAdmin
  unseal?: JobContext['unseal']
  stopLink?: JobContext['stopLink']
  recordStore?: JobContext['recordStore']
  seedTesting?: JobContext['seedTesting']
  log: JobLog
  /** Nothing runs by itself: work is done by `drain` alone. */
  isIdle?: boolean
}

export type Workers = {
  stalled(): string[]
  drain(): Promise<void>
  stop(): Promise<void>
}

export async function startWorkers(options: WorkersOptions): Promise<Workers> {
  const { databases, origin, identityAdmin, log, isIdle = false } = options
  if (databases.ownerUrl) await installQueue(databases.ownerUrl)
  const context: JobContext = {
    database: databases.worker,
    replica: databases.replica,
    origin,
    carriers: options.carriers ?? createOutbox(outboxStore(databases.worker)),
    outboxFolder: options.outboxFolder,
    identityAdmin,
    unseal: options.unseal ?? unopened,
    stopLink: options.stopLink,
    runJobs: () => runOnce({ ...queue, forbiddenFlags: findAway(context.carriers) }),
    recordStore: options.recordStore,
    seedTesting: options.seedTesting,
    log,
    isIdle,
    pulse: createPulse(),
  }
  const { pulse } = context
  const pool = openJobsPool(databases.workerUrl)
  const queue = { pgPool: pool, taskList: taskList(context), logger: quiet(log), noHandleSignals: true }
  let listener: Listener | undefined
  const queues = isIdle
    ? undefined
    : await keepQueues(
        {
          options: queue,
          carriers: context.carriers,
          openPool: () => openJobsPool(databases.workerUrl),
          log,
          pulse,
        },
        () => listener?.renew(),
      )
  const zones = isIdle ? undefined : keepZones(context)
  const sender = createSender(context)
  if (queues) listener = listenForDispatches(databases.workerUrl, sender.wake, queues.ids, pulse)
  const freeing = isIdle ? undefined : keepFreeing(pool)
  const endGauge = isIdle ? undefined : gaugeUnknown(databases.worker)
  return {
    stalled: pulse.stalled,
    async drain() {
      await freeAbandoned(pool)
      await context.runJobs()
      await sender.drain()
      await lookAfterJourneys(context)
      await lookAfterAssessments(context)
    },
    async stop() {
      endGauge?.()
      freeing?.stop()
      const patience = setTimeout(() => {
        for (const carrier of Object.values(context.carriers)) carrier.circuit?.stop()
      }, PATIENCE_MS)
      const ended = Promise.allSettled([queues?.stop(), listener?.stop(), sender.stop(), zones])
      await Promise.race([ended, sleep(2 * PATIENCE_MS)])
      clearTimeout(patience)
      await pool.end()
    },
  }
}

async function keepZones({ database, log }: JobContext): Promise<void> {
  await keepZoneRules(database).then(
    (zones) => zones.length > 0 && log.info({ event: 'zones.changed', zones: zones.join() }),
    (err: unknown) => log.error({ event: 'zones.not-kept', err }),
  )
}

const unopened = (): never => {
  throw new Error('Nothing is sealed for this process.')
}
