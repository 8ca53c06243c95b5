import type { Letter } from '../text/letter.ts'
import type { OfJourney } from './sent.server.ts'

/**
 * A composed mail about journeys. `wait`: not before this moment. Null: nothing to say any longer, or no recipient.
 */
export type Composed =
  | { wait: Date }
  | {
      channel: 'sms' | 'email'
      to: string
      subject: string
      text: string
      letter?: Letter
      about: OfJourney
    }
  | null
