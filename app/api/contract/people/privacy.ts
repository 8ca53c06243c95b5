/** What people decide about their own data, and what administrators do for them. */

import { z } from 'zod'
import { callsAbout, fileOf } from '#app/api/contract/call.ts'
import { EXPORTS } from '#app/api/contract/limits.ts'
import { ABOUT_ONESELF, NOTHING, oneId } from '#app/api/contract/parts.ts'
import {
  Consents,
  ConsentsInput,
  NotificationPreferences,
  NotificationPreferencesInput,
} from '#app/domain/privacy/preferences.ts'

const { get, post, put } = callsAbout('Privacy')

const isOneself = ({ id }: Readonly<Record<string, unknown>>, user_id: number) => id === user_id

export const getNotificationPreferences = get('/users/me/notification_preferences', {
  does: 'Which notifications the person does not want, and whether they want the weekly summary',
  may: 'signed in',
  answers: NotificationPreferences,
  early: ABOUT_ONESELF,
})

export const setNotificationPreferences = put('/users/me/notification_preferences', {
  does: 'Switch types of notifications and the weekly summary off or on',
  may: 'signed in',
  body: NotificationPreferencesInput,
  answers: NotificationPreferences,
  early: ABOUT_ONESELF,
  audited: true,
})

export const getConsents = get('/users/me/consents', {
  does: 'What the person agreed to, with the wording, and when',
  may: 'signed in',
  answers: Consents,
  early: ABOUT_ONESELF,
})

export const setConsents = put('/users/me/consents', {
  does: 'Agree to text messages, or end them',
  may: 'signed in',
  body: ConsentsInput,
  answers: Consents,
  early: ABOUT_ONESELF,
  audited: true,
})

export const exportPersonalData = get('/users/{id}/data_export', {
  does: 'Everything stored about a person: your own, or anyone’s for administrators',
  may: 'read personal data',
  ids: oneId,
  answers: fileOf('application/json', 'OK', z.record(z.string(), z.unknown())),
  early: { subTenant: isOneself },
  perPerson: EXPORTS,
  dear: true,
})

export const recordOptOut = post('/users/{id}/opt_out', {
  does: 'Record that a person wants no text messages; only the person can opt in again',
  may: 'manage user',
  ids: oneId,
  answers: NOTHING,
  audited: true,
})

export const erasePerson = post('/users/{id}/erasure', {
  does: 'Forget a person, for good: their place in the figures stays',
  may: 'manage user',
  keys: false,
  ids: oneId,
  answers: NOTHING,
  audited: true,
})
