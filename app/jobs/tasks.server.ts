/** The generic jobs, by their names in the queue. */
import { type JobHelpers, Logger, type Task } from 'graphile-worker'
import { CarrierError } from '#app/integrations/carrier.ts'
import { briefSponsors } from './brief-sponsors.server.ts'
import type { JobContext, JobLog } from './context.ts'
import { countTenants } from './count-tenants.server.ts'
import { forgetAnswers } from './forget-answers.server.ts'
import { forgetExport } from './forget-export.server.ts'
import { forgetFailedJobs } from './forget-failed-jobs.server.ts'
import { forgetMessages } from './forget-messages.server.ts'
import { lookAfterAssessments } from './look-after-assessments.server.ts'
import { lookAfterJourneys } from './look-after-journeys.server.ts'
import { mailSponsor } from './mail-sponsor.server.ts'
import { makeExport } from './make-export.server.ts'
import { moveClock } from './move-clock.server.ts'
import { moveFileOut } from './move-file-out.server.ts'
import { moveFilesOutAgain } from './move-files-out-again.server.ts'
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
import { purgeDeleted } from './purge-deleted.server.ts'
import { remindCommitments, sendCommitments } from './remind-commitments.server.ts'
import { removeStoredFile } from './remove-stored-file.server.ts'
import { removeUnusedFiles } from './remove-unused-files.server.ts'
import { replanPeople } from './replan-people.server.ts'
import { sendEncouragement } from './send-encouragement.server.ts'
import { answerText } from './sending/answer-text.server.ts'
import { carryMessage } from './sending/carry-message.server.ts'
import { sendTest } from './sending/send-test.server.ts'
import { tellOfUnknown } from './sending/tell-of-unknown.server.ts'
import { startTestingAgain } from './start-testing-again.server.ts'
import { mailSummary, summarizeWeeks } from './summarize-weeks.server.ts'

const JOBS: Record<string, (context: JobContext, payload: unknown) => Promise<void>> = {
  'carry-message': carryMessage,
  'answer-text': answerText,
  'brief-sponsors': briefSponsors,
  'change-address': changeAddress,
  'count-tenants': countTenants,
  'end-visits': endVisits,
  'erase-accounts': eraseAccounts,
  'forget-export': forgetExport,
  'forget-import': forgetImport,
  'forget-answers': forgetAnswers,
  'forget-failed-jobs': forgetFailedJobs,
  'forget-messages': forgetMessages,
  'import-users': importUsers,
  'invite-user': inviteUser,
  'look-after-assessments': lookAfterAssessments,
  'look-after-journeys': lookAfterJourneys,
  'mail-sponsor': mailSponsor,
  'mail-summary': mailSummary,
  'move-clock': moveClock,
  'move-file-out': moveFileOut,
  'move-files-out-again': moveFilesOutAgain,
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

export const taskList = (context: JobContext): Record<string, Task> =>
  Object.fromEntries(
    Object.entries(JOBS).map(([name, work]) => [
      name,
      (payload: unknown, { job }: JobHelpers) =>
        attempt(name, work, { ...context, isLastTry: job.attempts >= job.max_attempts }, payload),
    ]),
  )

/** A message that its carrier certainly refuses is not tried again. */
async function attempt(name: string, work: (typeof JOBS)[string], context: JobContext, payload: unknown) {
  try {
    await work(context, payload)
  } catch (error) {
    if (!(error instanceof CarrierError) || error.outcome !== 'refused') throw error
    context.log.error({ event: 'message.refused', job: name, reason: error.code })
  }
}

export const quiet = (log: JobLog) =>
  new Logger((scope) => (level, message) => {
    if (level === 'error') log.error({ event: 'job.failed', message, job: scope.taskIdentifier })
  })
