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
  /** Where messages without a carrier are also kept as files. */
  outboxFolder?: OutboxFolder | undefined
  identityAdmin: IdentityAdmin
  stopLink?: Links['stopLink']
  /** Fills the testing tenant with the demo's initial data; undefined without a demo. */
  seedTesting?: ((tenantId: string, by: number | null) => Promise<void>) | undefined
  runJobs(): Promise<void>
  recordStore?: RecordStore | undefined
  unseal(sealed: string, context: string): string
  log: JobLog
  /** Notes each question to the database, so that one without an answer is noticed. */
  pulse: Pulse
  /** Whether nothing runs by itself: work is done by `drain` alone. */
  isIdle: boolean
  /** Whether the queue will not retry this job if it fails. */
  isLastTry?: boolean
}
