/** The testing tenant's outbox, its phones and its clock, for its administrators. */
import { OutboxPage, OutboxQuery, TestText, TestTextReceived } from '#app/domain/outbox/outbox.ts'
import { ClockInput, TestingClock } from '#app/domain/testing/clock.ts'
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

export const getClock = get('/testing/clock', {
  does: 'What the clock of the testing tenant shows, and where it is on its way to',
  may: 'use testing',
  answers: TestingClock,
})

export const moveClock = post('/testing/clock', {
  does: 'Set the clock of the testing tenant forward, with everything that follows from it',
  remark:
    'A `version` that is not the one of the clock moves nothing: the same call made twice moves it once. The move is done by a job; the answer says where it leads.',
  may: 'use testing',
  body: ClockInput,
  answers: TestingClock,
  status: 202,
  audited: true,
})
