/** A job that holds an address checks it before writing: its owner may have been erased while the job waited. */
import { z } from 'zod'
import { mayStillWrite } from '#app/domain/privacy/addresses.server.ts'
import { type Database, inScope, systemActor } from '#app/domain/scope/scope.server.ts'

/** A job without a time counts as the oldest. */
export const QueuedOn = z.coerce.date().default(new Date(0))

type Waiting = { tenant_id: string; address: string; queued_on: Date }

export const isStillTheirs = (
  database: Database,
  { tenant_id, address, queued_on: since }: Waiting,
): Promise<boolean> =>
  inScope(database, systemActor(tenant_id), (scope) => mayStillWrite(scope, { address, since }))
