/** What people change about themselves, wherever they are at the moment. */
import { type Selectable, sql } from 'kysely'
import type { Users } from '#app/db/schema.ts'
import { type Asking, requireOwnPassword } from '#app/domain/account/own-security.server.ts'
import { record, recordChange } from '#app/domain/audit/audit.server.ts'
import { numberStates, takeTurnsAbout } from '#app/domain/consent/consents.server.ts'
import { SMS_WORDING } from '#app/domain/consent/wording.ts'
import { invalid, stale } from '#app/domain/errors.ts'
import { atHome, type Scope } from '#app/domain/scope/scope.server.ts'
import { confirmTexts, settleConsent as settle } from '#app/domain/sending/consent-change.server.ts'
import { findSelf, getCurrentUser } from '../users/current-user.server.ts'
import type { CurrentUser } from '../users/current-user.ts'
import type { ProfileInput } from './profile.ts'

type Self = Selectable<Users>
type Change = Omit<ProfileInput, 'password'>

const TERMS_VERSION = '1'

export async function updateProfile(
  scope: Scope,
  asking: Asking,
  { password, ...input }: ProfileInput,
  should_enter_subtenant: boolean,
): Promise<CurrentUser> {
  if (password !== undefined && input.mobile_phone === undefined)
    throw invalid({ password: ['Needed to remove the number; changes nothing itself.'] })
  await atHome(scope, async (home) => {
    if (input.sms_opt_in !== undefined) await takeTurnsAbout(home, (await findSelf(home)).mobile_phone)
    const self = await findSelf(home, 'to change it')
    if (input.lock_version !== undefined && input.lock_version !== self.lock_version) {
      throw stale(await getCurrentUser(scope, should_enter_subtenant))
    }
    if (isRenumbered(self, input)) await requireOwnPassword(home, asking, password)
    await saveSelf(home, self, input)
    await settleConsent(home, self, input)
  })
  return getCurrentUser(scope, should_enter_subtenant)
}

async function saveSelf(home: Scope, self: Self, input: Change): Promise<void> {
  const { lock_version: _, accept_terms_and_conditions, sms_opt_in: __, ...columns } = input
  const accepts = accept_terms_and_conditions === true && self.accepted_terms_on === null
  await home.db
    .updateTable('users')
    .set({
      ...columns,
      ...(accepts ? { accepted_terms_on: new Date(), accepted_terms_version: TERMS_VERSION } : {}),
      // Consent is given for a number, not for a person.
      ...(isRenumbered(self, input) ? { sms_opt_in: false, phone_verified_on: null } : {}),
      updated_on: new Date(),
      lock_version: sql`lock_version + 1`,
    })
    .where('id', '=', self.id)
    .execute()
  const subject = { type: 'user', id: self.id }
  if (accepts) await record(home, 'terms.accepted', subject, { version: TERMS_VERSION })
  if (Object.keys(columns).length > 0)
    await recordChange(home, 'profile.updated', subject, { before: self, after: columns })
}

/** Records consent with the wording that was agreed to, whenever the answer changes. */
async function settleConsent(home: Scope, self: Self, input: Change): Promise<void> {
  const number = input.mobile_phone === undefined ? self.mobile_phone : input.mobile_phone
  if (input.sms_opt_in && number === null) {
    throw invalid({ sms_opt_in: ['Please enter the number the messages should go to'] })
  }
  if (number === null || input.sms_opt_in === undefined) return
  const before = (await numberStates(home, [number])).get(number) === 'opted_in'
  if (input.sms_opt_in === before) return
  const action = input.sms_opt_in ? 'opt_in' : 'opt_out'
  const wording_id = input.sms_opt_in ? SMS_WORDING.id : null
  await settle(home, { number, user_id: self.id, action, source: 'profile', wording_id })
  if (action === 'opt_in') await confirmTexts(home, number)
  await record(home, `consent.${action}`, { type: 'user', id: self.id }, { wording_id })
}

const isRenumbered = (self: Self, { mobile_phone }: Change): boolean =>
  mobile_phone !== undefined && mobile_phone !== self.mobile_phone
