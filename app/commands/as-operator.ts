/** Runs a command's work in the operator's own tenant, while Liftwell runs. */
import { getConfig } from '#app/config.server.ts'
import { connect } from '#app/db/connect.server.ts'
import { findRunningUrl } from '#app/db/running-url.server.ts'
import { Refusal } from '#app/domain/errors.ts'
import { inScope, operatorActor, type Scope, systemActor } from '#app/domain/scope/scope.server.ts'

export async function asOperator(work: (scope: Scope) => Promise<void>): Promise<void> {
  const database = connect(await findRunningUrl(getConfig(), 'worker'), { max: 1, name: 'liftwell command' })
  try {
    const { id } = await inScope(database, operatorActor(), ({ db }) =>
      db.selectFrom('tenants').select('id').where('is_operator', '=', true).executeTakeFirstOrThrow(),
    )
    await inScope(database, systemActor(id), work)
  } catch (error) {
    // A terminal has no fields to show errors at.
    const detail = error instanceof Refusal ? error.detail : ''
    throw typeof detail === 'string' ? error : new Error(Object.values(detail).flat().join(' '))
  } finally {
    await database.destroy()
  }
}
