/** Stores what real carriers took in our own database, each message in its tenant's scope. */
import { findSent, keepSent } from '#app/domain/outbox/sent.server.ts'
import { type Database, inScope, systemActor } from '#app/domain/scope/scope.server.ts'
import type { SentStore } from '#app/integrations/sent.server.ts'
import type { JobLog } from '#app/jobs/context.ts'

export const sentStore = (database: Database, log: JobLog): SentStore => ({
  async keep({ tenant_id, key }, provider_id) {
    try {
      await inScope(database, systemActor(tenant_id), (scope) => keepSent(scope, key, provider_id))
    } catch (err) {
      log.error({ event: 'message.not-noted', err })
    }
  },
  find: ({ tenant_id, key }) => inScope(database, systemActor(tenant_id), (scope) => findSent(scope, key)),
})
