/** What people change about themselves, wherever they are at the moment. */
import { sql } from 'kysely'
import { record } from '#app/domain/audit/audit.server.ts'
import { stale } from '#app/domain/errors.ts'
import { atHome, type Scope } from '#app/domain/scope.server.ts'
import { findSelf, getCurrentUser } from './current-user.server.ts'
import type { CurrentUser } from './current-user.ts'
import type { ProfileInput } from './profile.ts'

/** The terms that are shown today. */
const TERMS_VERSION = '1'

export async function updateProfile(
  scope: Scope,
  input: ProfileInput,
  should_enter_subtenant: boolean,
): Promise<CurrentUser> {
  const { lock_version, accept_terms_and_conditions, ...columns } = input
  await atHome(scope, async (home) => {
    const self = await findSelf(home)
    if (lock_version !== undefined && lock_version !== self.lock_version) {
      throw stale(await getCurrentUser(scope, should_enter_subtenant))
    }
    const accepts = accept_terms_and_conditions === true && self.accepted_terms_on === null
    const renumbered = columns.mobile_phone !== undefined && columns.mobile_phone !== self.mobile_phone
    await home.db
      .updateTable('users')
      .set({
        ...columns,
        ...(columns.job_title === '' ? { job_title: null } : {}),
        ...(accepts ? { accepted_terms_on: new Date(), accepted_terms_version: TERMS_VERSION } : {}),
        // Consent is given for a number, not for a person.
        ...(renumbered ? { sms_opt_in: false } : {}),
        updated_on: new Date(),
        lock_version: sql`lock_version + 1`,
      })
      .where('id', '=', self.id)
      .execute()
    const changes = Object.keys(columns)
    if (accepts)
      await record(home, 'terms.accepted', { type: 'user', id: self.id }, { version: TERMS_VERSION })
    if (changes.length > 0) await record(home, 'profile.updated', { type: 'user', id: self.id }, { changes })
  })
  return getCurrentUser(scope, should_enter_subtenant)
}
