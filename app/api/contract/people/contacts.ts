/** One's own e-mail address and phone number, and the confirmation of new ones. */

import { callsAbout } from '#app/api/contract/call.ts'
import { CODES } from '#app/api/contract/limits.ts'
import { ABOUT_ONESELF } from '#app/api/contract/parts.ts'
import { ContactChangeInput, ContactCode, Contacts } from '#app/domain/account/contact-change.ts'

const { get, post } = callsAbout('Users')

export const getContacts = get('/users/me/contacts', {
  does: 'The caller’s address and number, and changes that wait for a code',
  may: 'signed in',
  answers: Contacts,
  early: ABOUT_ONESELF,
})

export const requestContactChange = post('/users/me/contacts', {
  does: 'Send a code to a new address or number; needs the password',
  may: 'signed in',
  body: ContactChangeInput,
  answers: Contacts,
  status: 202,
  early: ABOUT_ONESELF,
  perPerson: CODES,
  repeats: 'each time',
  audited: true,
})

export const confirmContactChange = post('/users/me/contacts/confirm', {
  does: 'Confirm the change with the code that was sent there',
  may: 'signed in',
  body: ContactCode,
  answers: Contacts,
  early: ABOUT_ONESELF,
  perPerson: CODES,
  repeats: 'each time',
  audited: true,
})
