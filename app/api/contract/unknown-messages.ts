/** Messages whose delivery is unknown: listed, and decided by people. */
import {
  Decided,
  DecisionInput,
  ResendProspect,
  ResendQuery,
  UnknownMessagePage,
  UnknownMessageQuery,
} from '#app/domain/unknown-messages/unknown-message.ts'
import { callsAbout } from './call.ts'

const { get, post } = callsAbout('Messages')

export const listUnknownMessages = get('/unknown_messages', {
  does: 'Messages of which nobody knows whether they arrived, newest first; for authors, those of their journeys',
  may: 'view journeys',
  query: UnknownMessageQuery,
  answers: UnknownMessagePage,
})

export const foreseeResend = get('/unknown_messages/send_again', {
  does: 'What sending them again would do: how many, by which way, and which not',
  may: 'view journeys',
  query: ResendQuery,
  answers: ResendProspect,
})

export const decideUnknownMessages = post('/unknown_messages/decisions', {
  does: 'Decide that they arrived, did not, or are sent again; each is decided once',
  may: 'view journeys',
  body: DecisionInput,
  answers: Decided,
  audited: true,
})
