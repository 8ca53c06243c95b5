/** E-mails that a person has unsubscribed from, and addresses that reject mail. */
import { z } from 'zod'
import { callsAbout } from '#app/api/contract/call.ts'
import { ABOUT_ONESELF, oneId } from '#app/api/contract/parts.ts'
import {
  AddressState,
  MailStop,
  MailStopInput,
  OwnMailStops,
  OwnMailStopsInput,
} from '#app/domain/mail-stops/mail-stop.ts'

const { get, post, put } = callsAbout('Messages')

const link = z.object({ token: z.string().regex(/^[\w.-]{1,1000}$/) })
const LINKS = { name: 'mail-stops', perMinute: 60 }

export const getMailStop = get('/mail_stops/{token}', {
  does: 'What the link of an e-mail would stop; changes nothing',
  may: 'anyone',
  ids: link,
  answers: MailStop,
  perAddress: LINKS,
})

export const changeMailStop = post('/mail_stops/{token}', {
  does: 'Stop the e-mails of its journey, of all journeys, or none of them, without signing in',
  may: 'anyone',
  ids: link,
  body: MailStopInput,
  answers: MailStop,
  perAddress: LINKS,
  audited: true,
})

export const getOwnMailStops = get('/users/me/mail_stops', {
  does: 'Which e-mails about journeys the caller has stopped',
  may: 'signed in',
  answers: OwnMailStops,
  early: ABOUT_ONESELF,
})

export const setOwnMailStops = put('/users/me/mail_stops', {
  does: 'Stop all of them, or get those of some journeys again',
  may: 'signed in',
  body: OwnMailStopsInput,
  answers: OwnMailStops,
  early: ABOUT_ONESELF,
  audited: true,
})

export const getAddressState = get('/users/{id}/address', {
  does: 'Whether mails to a person bounced, or were reported as spam',
  may: 'manage user',
  ids: oneId,
  answers: AddressState,
})

export const tryAddressAgain = post('/users/{id}/address/try_again', {
  does: 'Send lifts and reminders to a stopped address again',
  may: 'manage user',
  ids: oneId,
  answers: AddressState,
  audited: true,
})
