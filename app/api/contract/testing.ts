/** The testing tenant's outbox and its phones, for super admins. */
import { OutboxPage, OutboxQuery, TestText, TestTextReceived } from '#app/domain/outbox/outbox.ts'
import { callsAbout } from './call.ts'

const { get, post } = callsAbout('Testing')

export const listOutbox = get('/testing/outbox', {
  does: 'Every mail and text that left the testing tenant',
  may: 'use testing',
  query: OutboxQuery,
  answers: OutboxPage,
})

export const answerAsPhone = post('/testing/texts', {
  does: 'Text the testing tenant as one of its phones: STOP, START, HELP, or anything',
  may: 'use testing',
  body: TestText,
  answers: TestTextReceived,
  described: 'Received',
  status: 201,
  audited: true,
})
