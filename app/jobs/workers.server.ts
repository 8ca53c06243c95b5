/** Everything that works later: the sender of lifts, and the queue of generic jobs. */
import { EventEmitter } from 'node:events'
import { Logger, type Runner, run, runOnce, type Task, type WorkerEvents } from 'graphile-worker'
import { Pool } from 'pg'
import { installQueue } from '#app/db/queue.server.ts'
import { keepZoneRules } from '#app/domain/schedules/zone-rules.server.ts'
import type { Database } from '#app/domain/scope.server.ts'
import { CarrierError, type Carriers } from '#app/integrations/carrier.ts'
import type { IdentityAdmin } from '#app/integrations/identity-admin.ts'
import { createOutbox } from '#app/integrations/outbox.server.ts'
import { freeAbandoned, keepFreeing } from './abandoned.server.ts'
import { answerText } from './answer-text.server.ts'
import { carryMessage } from './carry-message.server.ts'
import { changeAddress } from './change-address.server.ts'
import type { JobContext, JobLog } from './context.ts'
import { endVisits } from './end-visits.server.ts'
import { eraseAccounts } from './erase-accounts.server.ts'
import { forgetAnswers } from './forget-answers.server.ts'
import { forgetImport } from './forget-import.server.ts'
import { forgetMessages } from './forget-messages.server.ts'
import { importUsers } from './import-users.server.ts'
import { inviteUser } from './invite-user.server.ts'
import { listenForDispatches } from './listen.server.ts'
import { lookAfterAssessments } from './look-after-assessments.server.ts'
import { lookAfterJourneys } from './look-after-journeys.server.ts'
import { outboxStore } from './outbox-store.server.ts'
import { planJourney } from './plan-journey.server.ts'
import { purgeDeleted } from './purge-deleted.server.ts'
import { removeStoredFile } from './remove-stored-file.server.ts'
import { removeUnusedFiles } from './remove-unused-files.server.ts'
import { replanPeople } from './replan-people.server.ts'
import { sendContactCode } from './send-contact-code.server.ts'
import { sendTest } from './send-test.server.ts'
import { createSender } from './sender.server.ts'
import { settleAccounts } from './settle-accounts.server.ts'
import { settleSignIn } from './settle-sign-in.server.ts'
import { tellOfSecurity } from './tell-of-security.server.ts'

const JOBS: Record<string, (context: JobContext, payload: unknown) => Promise<void>> = {
  'carry-message': carryMessage,
  'answer-text': answerText,
  'change-address': changeAddress,
  'end-visits': endVisits,
  'erase-accounts': eraseAccounts,
  'forget-import': forgetImport,
  'forget-answers': forgetAnswers,
  'forget-messages': forgetMessages,
  'import-users': importUsers,
  'invite-user': inviteUser,
  'look-after-assessments': lookAfterAssessments,
  'look-after-journeys': lookAfterJourneys,
  'plan-journey': planJourney,
  'purge-deleted': purgeDeleted,
  'remove-stored-file': removeStoredFile,
  'remove-unused-files': removeUnusedFiles,
  'replan-people': replanPeople,
  'send-contact-code': sendContactCode,
  'send-test': sendTest,
  'settle-accounts': settleAccounts,
  'settle-sign-in': settleSignIn,
  'tell-of-security': tellOfSecurity,
}

export type WorkersOptions = {
  databases: { worker: Database; workerUrl: string; ownerUrl?: string | undefined }
  origin: string
  /** By default every message stays in the outbox. */
  carriers?: Carriers
  outboxFolder?: JobContext['outboxFolder']
  identityAdmin: IdentityAdmin
  unseal?: JobContext['unseal']
  log: JobLog
  /** Nothing runs by itself: work is done by `drain` alone. */
  isIdle?: boolean
}

export type Workers = {
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
    origin,
    carriers: options.carriers ?? createOutbox(outboxStore(databases.worker)),
    outboxFolder: options.outboxFolder,
    identityAdmin,
    unseal: options.unseal ?? unopened,
    log,
    isIdle,
  }
  const pool = new Pool({ connectionString: databases.workerUrl, max: 4, application_name: 'liftwell jobs' })
  // A connection that the server ends is replaced; without listeners it would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const queue = { pgPool: pool, taskList: taskList(context), logger: quiet(log), noHandleSignals: true }
  const events: WorkerEvents = new EventEmitter()
  let queueId = ''
  events.on('pool:create', ({ workerPool }) => (queueId = workerPool.id))
  const runner: Runner | undefined = isIdle
    ? undefined
    : await run({ ...queue, events, concurrency: 2, pollInterval: 2_000, crontab: TIMETABLE })
  const zones = isIdle ? undefined : keepZones(context)
  const sender = createSender(context)
  const listener = isIdle ? undefined : listenForDispatches(databases.workerUrl, sender.wake, queueId)
  const freeing = isIdle ? undefined : keepFreeing(pool)
  return {
    async drain() {
      await freeAbandoned(pool)
      await runOnce(queue)
      await sender.drain()
      await lookAfterJourneys(context)
      await lookAfterAssessments(context)
    },
    async stop() {
      freeing?.stop()
      await Promise.allSettled([runner?.stop(), listener?.stop(), sender.stop(), zones])
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

/** What comes round by itself. */
const TIMETABLE = [
  '* * * * * look-after-assessments',
  '*/5 * * * * look-after-journeys',
  '*/5 * * * * end-visits',
  '17 * * * * remove-unused-files',
  '37 * * * * forget-messages',
  '42 * * * * forget-answers',
  '47 2 * * * purge-deleted',
].join('\n')

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
