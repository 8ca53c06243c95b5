/** Deletes the answers kept for repeated requests (idempotency keys) after a day. */
import { sql } from 'kysely'
import { inScope, operatorActor, systemActor } from '#app/domain/scope/scope.server.ts'
import type { JobContext } from './context.ts'

export async function forgetAnswers({ database }: Pick<JobContext, 'database'>): Promise<void> {
  const tenants = await inScope(database, operatorActor(), ({ db }) =>
    db.selectFrom('tenants').select('id').orderBy('id').execute(),
  )
  for (const { id } of tenants)
    await inScope(database, systemActor(id), ({ db }) =>
      db
        .deleteFrom('idempotency_keys')
        .where('created_on', '<', sql<Date>`now() - interval '1 day'`)
        .execute(),
    )
}
