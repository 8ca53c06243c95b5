/** All that is stored about one person, for that person: their own copy, in JSON. */
import { record } from '../audit/audit.server.ts'
import { notFound } from '../errors.ts'
import { atHome, type Scope, tenantWide } from '../scope/scope.server.ts'
import type { StoredUser } from '../users/changing.server.ts'
import { findSelf } from '../users/current-user.server.ts'
import { requireRight } from '../users/rights.server.ts'
import { readAccount } from './stored-account.server.ts'
import { readDoings } from './stored-doings.server.ts'
import { type Copy, readAnswers, readParticipation } from './stored-learning.server.ts'
import { readAgreements, readMessages } from './stored-messages.server.ts'

export type DataExport = Record<string, unknown>

/** People may export their own data; administrators anybody's, without the parts that no administrator may read. */
export async function exportPerson(scope: Scope, id: number): Promise<DataExport> {
  if (scope.actor.user_id === id)
    return atHome(scope, async (home) => {
      const self = await findSelf(home)
      return tenantWide(home, (whole) => collect(whole, self, 'own'))
    })
  const person = await scope.db
    .selectFrom('users')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => notFound())
  await requireRight(scope, person, 'download')
  return collect(scope, person, "another's")
}

async function collect(scope: Scope, person: StoredUser, copy: Copy): Promise<DataExport> {
  const { tenant_id, is_super_admin, lock_version, searchable, ...profile } = person
  const { id } = profile
  const data = {
    exported_on: new Date().toISOString(),
    tenant_id,
    profile,
    ...(await readAccount(scope, id)),
    ...(await readAgreements(scope, id)),
    ...(await readMessages(scope, id)),
    ...(await readParticipation(scope, id)),
    ...(await readAnswers(scope, id, copy)),
    ...(await readDoings(scope, id)),
  }
  await record(scope, 'user.data_exported', { type: 'user', id })
  return data
}
