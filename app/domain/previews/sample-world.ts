/** The people and things in the sample messages. */

import { DEFAULT_MESSAGE } from '../journeys/template.ts'
import type { TextQuestion } from '../lifts/text-question.ts'
import type { Letter, LetterLink } from '../text/letter.ts'
import type { MessageKind } from './preview.ts'

export type Sample = MessageKind & { subject: string; text: string; letter?: Letter | undefined }
export type Setting = {
  company: string
  origin: string
  support: string | null
  signIn: readonly SignInMessage[]
}

export const ALEX = { first_name: 'Alex', email: 'alex@example.com', zone: 'UTC' }
export const JOURNEY = 'Better conversations'
export const LIFT = { title: 'Listen first', sms_text: DEFAULT_MESSAGE, email_subject: '', est_minutes: 3 }
export const QUESTION: TextQuestion = {
  id: 1,
  kind: 'single_choice',
  text: 'What comes first?',
  options: ['Listening', 'Talking'].map((text) => ({ id: text, text, correct: null, feedback: '' })),
  visibility: 'sponsor',
}

export const SAID = 'Well done yesterday. How did the call with the new customer go?'
export const SPONSOR = 'Sam Stone'
export const UNTIL = new Date('2026-11-23T09:00:00Z')

/** Messages of our identity provider. */
export type SignInMessage = MessageKind & {
  subject: string
  body: string
  button?: LetterLink
  note?: string
}

export const mail = (id: string, title: string, when: string) => ({
  id,
  title,
  when,
  channel: 'email' as const,
})

export const text = (id: string, title: string, when: string) => ({
  id,
  title,
  when,
  channel: 'sms' as const,
})
