import type { Letter } from '../text/letter.ts'
import type { OfJourney } from './sent.server.ts'

/** What is to be said of journeys. `wait`: not before. Null: nothing any more, or to nobody. */
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
