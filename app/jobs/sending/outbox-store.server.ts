/** Stores the outbox's messages in our own database, each in its tenant's scope. */
import PQueue from 'p-queue'
import { findMessage, keepMessages } from '#app/domain/outbox/outbox.server.ts'
import { type Database, inScope, systemActor } from '#app/domain/scope/scope.server.ts'
import type { OutboxStore } from '#app/integrations/mail/outbox.server.ts'

/** Leaves connections for other work when many messages are written. */
const AT_ONCE = 5

export function outboxStore(database: Database): OutboxStore {
  const queue = new PQueue({ concurrency: AT_ONCE })
  return {
    write: (tenantId, messages) =>
      queue.add(() => inScope(database, systemActor(tenantId), (scope) => keepMessages(scope, messages))),
    find: ({ tenant_id, key }) =>
      inScope(database, systemActor(tenant_id), (scope) => findMessage(scope, key)),
  }
}
