/** The texts of the list of unconfirmed messages. */
import { figures } from '#app/domain/text/figures.ts'
import type { Decision, UnknownMessage, WhyNot } from '#app/domain/unknown-messages/unknown-message.ts'

export const CHANNEL = { sms: 'by text message', email: 'by e-mail' } as const

export const causeOf = ({ cause, channel }: Pick<UnknownMessage, 'cause' | 'channel'>): string => {
  if (cause === 'interrupted') return 'Sending was interrupted.'
  return channel === 'sms' ? 'The carrier gave no answer.' : 'The mail server gave no answer.'
}

/** Shown below the cause of a message. */
export const WHY_NOT: Record<WhyNot, string> = {
  asking: 'The carrier is still being asked',
  paused: 'The journey is paused',
  over: 'The journey is over',
  retired: 'The lift is retired',
  not_active: 'No longer takes part',
  done: 'Answered already',
  closed: 'The lift is closed for them',
}

export const count = (many: number): string => figures(many)
export const messages = (many: number): string => (many === 1 ? '1 message' : `${count(many)} messages`)

export const LABELS: Record<Decision, string> = {
  arrived: 'It arrived',
  send_again: 'Send again',
  not_arrived: 'It did not arrive',
}

/** The labels for several messages at once. */
export const BULK_LABELS: Record<Decision, string> = {
  arrived: 'They arrived',
  send_again: 'Send again',
  not_arrived: 'They did not arrive',
}

export const DONE: Record<Decision, (many: number) => string> = {
  arrived: (many) => `${messages(many)} counted as sent`,
  send_again: (many) => `${messages(many)} sent again`,
  not_arrived: (many) => `${messages(many)} counted as failed`,
}
