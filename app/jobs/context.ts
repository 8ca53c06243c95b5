import type { Replica } from '#app/db/replica.server.ts'
import type { Links } from '#app/domain/mail-stops/stopping.server.ts'
import type { Database } from '#app/domain/scope/scope.server.ts'
import type { Carriers } from '#app/integrations/carrier.ts'
import type { IdentityAdmin } from '#app/integrations/identity-admin.ts'
import type { OutboxFolder } from '#app/integrations/mail/outbox-folder.server.ts'
import type { RecordStore } from '#app/integrations/stores/record-store.ts'
import type { Pulse } from './pulse.server.ts'

export type JobLog = {
  info(fields: Record<string, unknown>): void
  warn(fields: Record<string, unknown>): void
  error(fields: Record<string, unknown>): void
}

export type JobContext = {
  database: Database
  replica?: Replica | undefined
  origin: string
  carriers: Carriers
  /** Where messages that stay here are files too. */
  outboxFolder?: OutboxFolder | undefined
  identityAdmin: IdentityAdmin
  stopLink?: Links['stopLink']
  /** Writes the testing tenant anew, as the demo began; none where there is no demo. */
  seedTesting?: ((tenantId: string, by: number | null) => Promise<void>) | undefined
  runJobs(): Promise<void>
  recordStore?: RecordStore | undefined
  unseal(sealed: string, context: string): string
  log: JobLog
  /** Told of what is asked of the database, so that it is seen when no answer comes. */
  pulse: Pulse
  /** Nothing runs by itself. */
  isIdle: boolean
  /** Where this one fails, the queue does not try the job again. */
  isLastTry?: boolean
}
