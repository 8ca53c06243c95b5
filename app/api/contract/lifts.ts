import { z } from 'zod'
import { Lift, LiftChange, LiftInput, LiftName, LiftOrder } from '#app/domain/lifts/lift.ts'
import { LiftPage, ResponsesInput, SendTestInput } from '#app/domain/lifts/page.ts'
import { SeenQuery } from '#app/domain/optimistic-lock.ts'
import { Reminded, ReminderForesight, UnansweredLifts } from '#app/domain/sending/reminding.ts'
import {
  SendNowInput,
  SentNow,
  StillToSend,
  StillToSendQuery,
} from '#app/domain/sending/send-now-recipients.ts'
import { callsAbout } from './call.ts'
import { ANSWER_BYTES, SENDING, TESTS } from './limits.ts'
import { NOTHING, oneId } from './parts.ts'

const { get, post, put, remove } = callsAbout('Lifts')
const ofJourneys = callsAbout('Journeys')

export const listLiftNames = ofJourneys.get('/lljs/{id}/lifts', {
  does: 'All lifts of a journey by name, in their order',
  may: 'edit journey',
  ids: oneId,
  answers: z.object({ data: z.array(LiftName) }),
})

export const createLift = ofJourneys.post('/lljs/{id}/lifts', {
  does: 'Add a lift at the end',
  may: 'edit journey',
  ids: oneId,
  body: LiftInput,
  answers: Lift,
  described: 'Created',
  status: 201,
  repeats: 'once',
  audited: true,
})

export const orderLifts = ofJourneys.patch('/lljs/{id}/lifts/order', {
  does: 'All lifts of a journey in their new order',
  may: 'edit journey',
  ids: oneId,
  body: LiftOrder,
  answers: z.object({ data: z.array(Lift) }),
  audited: true,
})

export const getLift = get('/lifts/{id}', {
  does: 'One lift with its questions, for its authors',
  may: 'edit lift',
  ids: oneId,
  answers: Lift,
})

export const updateLift = put('/lifts/{id}', {
  does: 'Change a lift; what was sent keeps the version it was sent with',
  may: 'edit lift',
  ids: oneId,
  body: LiftChange,
  answers: Lift,
  audited: true,
})

export const deleteLift = remove('/lifts/{id}', {
  does: 'Delete a lift, or retire one that was sent',
  may: 'edit lift',
  ids: oneId,
  query: SeenQuery,
  answers: NOTHING,
  audited: true,
})

export const getLiftPage = get('/lifts/{id}/page', {
  does: 'The lift as its learner sees it',
  may: 'signed in',
  ids: oneId,
  answers: LiftPage,
})

export const getTestPage = get('/lifts/{id}/test_page', {
  does: 'The lift as saved now; nothing is stored',
  may: 'signed in',
  ids: oneId,
  answers: LiftPage,
})

export const answerLift = post('/lifts/{id}/responses', {
  does: 'Answer questions of the lift; the same answer again changes nothing',
  may: 'answer lift',
  ids: oneId,
  body: ResponsesInput,
  answers: LiftPage,
  bytes: ANSWER_BYTES,
  audited: true,
})

export const sendTest = post('/lifts/{id}/send_test', {
  does: 'Send the lift as saved now to up to five phones',
  may: 'edit lift',
  ids: oneId,
  body: SendTestInput,
  answers: z.object({ data: z.array(z.object({ phone: z.string(), state: z.literal('queued') })) }),
  perPerson: TESTS,
  perAddress: SENDING,
  audited: true,
  repeats: 'once',
})

export const sendLiftNow = post('/lifts/{id}/send_now', {
  does: 'Send the lift now to chosen members, or to all who have not had it',
  may: 'edit lift',
  ids: oneId,
  body: SendNowInput,
  answers: SentNow,
  audited: true,
  repeats: 'once',
})

export const listStillToSend = get('/lifts/{id}/send_now', {
  does: 'Whom sending it now would reach, and how',
  may: 'edit lift',
  ids: oneId,
  query: StillToSendQuery,
  answers: StillToSend,
})

export const listUnanswered = get('/lifts/unanswered', {
  does: 'Lifts of running journeys that someone has not answered yet; five at most, those with most people first',
  may: 'view journeys',
  answers: UnansweredLifts,
})

export const foreseeReminders = get('/lifts/{id}/remind', {
  does: 'Whom a manual reminder would reach now, later, or not at all',
  may: 'edit lift',
  ids: oneId,
  answers: ReminderForesight,
})

export const remindUnanswered = post('/lifts/{id}/remind', {
  does: 'Remind those who have not answered; each once a day',
  may: 'edit lift',
  ids: oneId,
  answers: Reminded,
  audited: true,
  repeats: 'once',
})
