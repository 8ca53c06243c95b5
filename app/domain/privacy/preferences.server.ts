/** One's own preferences and consents, in any current tenant. */
import { record, recordChange } from '../audit/audit.server.ts'
import type { ConsentAction } from '../consent/consent.ts'
import { numberStates, takeTurnsAbout } from '../consent/consents.server.ts'
import { SMS_WORDING } from '../consent/wording.ts'
import { invalid } from '../errors.ts'
import { atHome, type Scope } from '../scope/scope.server.ts'
import { confirmTexts, settleConsent } from '../sending/consent-change.server.ts'
import { findToChange } from '../users/changing.server.ts'
import { findSelf } from '../users/current-user.server.ts'
import { requireRight } from '../users/rights.server.ts'
import type { Consents, NotificationPreferences, NotificationPreferencesInput } from './preferences.ts'
import { mayHaveSummary } from './summary-role.ts'

const MAX_EVENTS = 100

export const getNotificationPreferences = (scope: Scope): Promise<NotificationPreferences> =>
  atHome(scope, async (home) => {
    const { muted_notifications, weekly_summary } = await findSelf(home)
    return { muted: muted_notifications as NotificationPreferences['muted'], weekly_summary }
  })

export async function setNotificationPreferences(
  scope: Scope,
  { muted, weekly_summary }: NotificationPreferencesInput,
): Promise<NotificationPreferences> {
  await atHome(scope, async (home) => {
    const self = await findSelf(home)
    const muted_notifications = [...new Set(muted)].sort()
    if (weekly_summary && !self.weekly_summary && !mayHaveSummary(home.actor.general_roles))
      throw invalid({ weekly_summary: ['The weekly summary is for administrators and authors.'] })
    const after = { muted_notifications, ...(weekly_summary !== undefined && { weekly_summary }) }
    await home.db.updateTable('users').set(after).where('id', '=', self.id).execute()
    const changed = { before: self, after }
    await recordChange(home, 'notification_preferences.updated', { type: 'user', id: self.id }, changed)
  })
  return getNotificationPreferences(scope)
}

export const getConsents = (scope: Scope): Promise<Consents> =>
  atHome(scope, async (home) => {
    const self = await findSelf(home)
    const events = await home.db
      .selectFrom('consent_events')
      .select(['number', 'action', 'source', 'wording_id', 'at'])
      .where('user_id', '=', self.id)
      .orderBy('at', 'desc')
      .orderBy('id', 'desc')
      .limit(MAX_EVENTS)
      .execute()
    return {
      number: self.mobile_phone,
      sms_opt_in: self.sms_opt_in,
      wording: { ...SMS_WORDING },
      events: events.map((event) => ({
        ...event,
        action: event.action as ConsentAction,
        at: event.at.toISOString(),
      })),
    }
  })

/** Records consent with the wording that was agreed to, whenever the answer changes. */
export async function setConsents(scope: Scope, sms_opt_in: boolean): Promise<Consents> {
  await atHome(scope, async (home) => {
    await takeTurnsAbout(home, (await findSelf(home)).mobile_phone)
    const { id, mobile_phone: number, sms_opt_in: before } = await findSelf(home, 'to change it')
    if (number === null)
      throw invalid({ sms_opt_in: ['There is no number on file that messages could go to.'] })
    if (sms_opt_in === before) return
    const action = sms_opt_in ? 'opt_in' : 'opt_out'
    const wording_id = sms_opt_in ? SMS_WORDING.id : null
    await settleConsent(home, { number, user_id: id, action, source: 'profile', wording_id })
    if (action === 'opt_in') await confirmTexts(home, number)
    await record(home, `consent.${action}`, { type: 'user', id }, { wording_id })
  })
  return getConsents(scope)
}

/** An administrator can record an opt-out; only the person can opt in. */
export async function recordOptOut(scope: Scope, id: number): Promise<void> {
  const known = await scope.db
    .selectFrom('users')
    .select('mobile_phone')
    .where('id', '=', id)
    .executeTakeFirst()
  await takeTurnsAbout(scope, known?.mobile_phone ?? null)
  const person = await findToChange(scope, id)
  await requireRight(scope, person, 'opt_out')
  const number = person.mobile_phone
  if (number === null) throw invalid({ id: ['This person has no number on file.'] })
  if ((await numberStates(scope, [number])).get(number) === 'opted_out') return
  await settleConsent(scope, { number, user_id: id, action: 'opt_out', source: 'admin' })
  await record(scope, 'consent.opt_out', { type: 'user', id }, { by: 'administrator' })
}
