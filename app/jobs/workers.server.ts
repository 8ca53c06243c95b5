/** Everything that works later: the sender of lifts, and the queue of generic jobs. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Logger, runOnce, type Task } from 'graphile-worker'
import { openPool, WORKER_STATEMENT_MS } from '#app/db/pool.server.ts'
import { installQueue } from '#app/db/queue.server.ts'
import { keepZoneRules } from '#app/domain/planning/zone-rules.server.ts'
import type { Database } from '#app/domain/scope.server.ts'
import { CarrierError, type Carriers } from '#app/integrations/carrier.ts'
import type { IdentityAdmin } from '#app/integrations/identity-admin.ts'
import { createOutbox } from '#app/integrations/mail/outbox.server.ts'
import { briefSponsors } from './brief-sponsors.server.ts'
import type { JobContext, JobLog } from './context.ts'
import { forgetAnswers } from './forget-answers.server.ts'
import { forgetExport } from './forget-export.server.ts'
import { forgetMessages } from './forget-messages.server.ts'
import { type Listener, listenForDispatches } from './listen.server.ts'
import { lookAfterAssessments } from './look-after-assessments.server.ts'
import { lookAfterJourneys } from './look-after-journeys.server.ts'
import { mailSponsor } from './mail-sponsor.server.ts'
import { makeExport } from './make-export.server.ts'
import { moveClock } from './move-clock.server.ts'
import { changeAddress } from './people/change-address.server.ts'
import { endVisits } from './people/end-visits.server.ts'
import { eraseAccounts } from './people/erase-accounts.server.ts'
import { forgetImport } from './people/forget-import.server.ts'
import { importUsers } from './people/import-users.server.ts'
import { inviteUser } from './people/invite-user.server.ts'
import { sendContactCode } from './people/send-contact-code.server.ts'
import { settleAccounts } from './people/settle-accounts.server.ts'
import { settleSignIn } from './people/settle-sign-in.server.ts'
import { tellFormerAddress } from './people/tell-former-address.server.ts'
import { tellOfSecurity } from './people/tell-of-security.server.ts'
import { planJourney } from './plan-journey.server.ts'
import { createPulse } from './pulse.server.ts'
import { purgeDeleted } from './purge-deleted.server.ts'
import { remindCommitments, sendCommitments } from './remind-commitments.server.ts'
import { removeStoredFile } from './remove-stored-file.server.ts'
import { removeUnusedFiles } from './remove-unused-files.server.ts'
import { replanPeople } from './replan-people.server.ts'
import { sendEncouragement } from './send-encouragement.server.ts'
import { freeAbandoned, keepFreeing } from './sending/abandoned.server.ts'
import { answerText } from './sending/answer-text.server.ts'
import { carryMessage } from './sending/carry-message.server.ts'
import { outboxStore } from './sending/outbox-store.server.ts'
import { findAway, keepQueues } from './sending/queues.server.ts'
import { sendTest } from './sending/send-test.server.ts'
import { createSender } from './sending/sender.server.ts'
import { tellOfUnknown } from './sending/tell-of-unknown.server.ts'
import { gaugeUnknown } from './sending/unknown-gauge.server.ts'
import { startTestingAgain } from './start-testing-again.server.ts'
import { mailSummary, summarizeWeeks } from './summarize-weeks.server.ts'

/** How long the process waits for carriers when it ends. */
const PATIENCE_MS = 2_000

const JOBS: Record<string, (context: JobContext, payload: unknown) => Promise<void>> = {
  'carry-message': carryMessage,
  'answer-text': answerText,
  'brief-sponsors': briefSponsors,
  'change-address': changeAddress,
  'end-visits': endVisits,
  'erase-accounts': eraseAccounts,
  'forget-export': forgetExport,
  'forget-import': forgetImport,
  'forget-answers': forgetAnswers,
  'forget-messages': forgetMessages,
  'import-users': importUsers,
  'invite-user': inviteUser,
  'look-after-assessments': lookAfterAssessments,
  'look-after-journeys': lookAfterJourneys,
  'mail-sponsor': mailSponsor,
  'mail-summary': mailSummary,
  'move-clock': moveClock,
  'make-export': makeExport,
  'plan-journey': planJourney,
  'purge-deleted': purgeDeleted,
  'remind-commitments': remindCommitments,
  'send-commitments': sendCommitments,
  'remove-stored-file': removeStoredFile,
  'remove-unused-files': removeUnusedFiles,
  'replan-people': replanPeople,
  'send-contact-code': sendContactCode,
  'send-test': sendTest,
  'send-encouragement': sendEncouragement,
  'settle-accounts': settleAccounts,
  'settle-sign-in': settleSignIn,
  'start-testing-again': startTestingAgain,
  'summarize-weeks': summarizeWeeks,
  'tell-former-address': tellFormerAddress,
  'tell-of-security': tellOfSecurity,
  'tell-of-unknown': tellOfUnknown,
}

export type WorkersOptions = {
  databases: {
    worker: Database
    replica?: JobContext['replica']
    workerUrl: string
    ownerUrl?: string | undefined
  }
  origin: string
  /** By default every message stays in the outbox. */
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
  /** The parts that have waited too long for the database: nothing is sent meanwhile. */
  stalled(): string[]
  /** Does everything that is due now. */
  drain(): Promise<void>
  /** Finishes what was begun and gives back the rest. */
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
  const openJobsPool = () =>
    openPool(databases.workerUrl, { max: 4, name: 'liftwell jobs', statement_timeout: WORKER_STATEMENT_MS })
  const pool = openJobsPool()
  const queue = { pgPool: pool, taskList: taskList(context), logger: quiet(log), noHandleSignals: true }
  let listener: Listener | undefined
  const queues = isIdle
    ? undefined
    : await keepQueues(
        { options: queue, carriers: context.carriers, openPool: openJobsPool, log, pulse },
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

const taskList = (context: JobContext): Record<string, Task> =>
  Object.fromEntries(
    Object.entries(JOBS).map(([name, work]) => [
      name,
      (payload: unknown) => attempt(name, work, context, payload),
    ]),
  )

/** What a carrier surely never takes is not tried again. */
async function attempt(name: string, work: (typeof JOBS)[string], context: JobContext, payload: unknown) {
  try {
    await work(context, payload)
  } catch (error) {
    if (!(error instanceof CarrierError) || error.outcome !== 'refused') throw error
    context.log.error({ event: 'message.refused', job: name, reason: error.code })
  }
}

const unopened = (): never => {
  throw new Error('Nothing is sealed for this process.')
}

/** The queue's own log, its failures only. */
const quiet = (log: JobLog) =>
  new Logger((scope) => (level, message) => {
    if (level === 'error') log.error({ event: 'job.failed', message, job: scope.taskIdentifier })
  })
