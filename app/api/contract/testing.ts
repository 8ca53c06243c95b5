/** The testing tenant's outbox, phones and clock, for its administrators. */
import { OutboxPage, OutboxQuery, TestText, TestTextReceived } from '#app/domain/outbox/outbox.ts'
import { ClockInput, StartAgainInput, TestingClock } from '#app/domain/testing/clock.ts'
import { HandsetPage, HandsetQuery } from '#app/domain/testing/handset.ts'
import { callsAbout } from './call.ts'

const { get, post } = callsAbout('Testing')

export const listOutbox = get('/testing/outbox', {
  does: 'Every mail and text that left the testing tenant',
  may: 'use testing',
  query: OutboxQuery,
  answers: OutboxPage,
})

export const listHandsets = get('/testing/handsets', {
  does: 'Who of the testing tenant got something, with the latest of their texts both ways and their mails',
  remark:
    '`reading` says how a text of theirs was read. Page on with `page`; the order is that of their names.',
  may: 'use testing',
  query: HandsetQuery,
  answers: HandsetPage,
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

export const startAgain = post('/testing/start_again', {
  does: 'Put the testing tenant back to the beginning of the demo: its people, its journeys, its clock',
  remark:
    'Everyone else is taken out, except who asks for it. A `version` that is not the one of the clock begins nothing. It is done by a job; `move.starts_again` is true until it has happened.',
  may: 'use testing',
  body: StartAgainInput,
  answers: TestingClock,
  status: 202,
  audited: true,
})
