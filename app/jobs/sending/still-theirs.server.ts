/** Jobs that hold an address look again before they write to it: its owner may have been forgotten while it waited. */
import { z } from 'zod'
import { mayStillWrite } from '#app/domain/privacy/addresses.server.ts'
import { type Database, inScope, systemActor } from '#app/domain/scope/scope.server.ts'

/** What says nothing of when it was added has waited since ever. */
export const QueuedOn = z.coerce.date().default(new Date(0))

type Waiting = { tenant_id: string; address: string; queued_on: Date }

export const isStillTheirs = (
  database: Database,
  { tenant_id, address, queued_on: since }: Waiting,
): Promise<boolean> =>
  inScope(database, systemActor(tenant_id), (scope) => mayStillWrite(scope, { address, since }))
