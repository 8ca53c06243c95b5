import type { NumberState } from '../consent/consent.ts'
import type { Channel } from '../journeys/channel.ts'

/** The first of the journey's channels that is open to the person; without one it is e-mail. */
export function chooseChannel(channels: readonly Channel[], number: NumberState | undefined): Channel {
  for (const channel of channels) if (channel !== 'sms' || number === 'opted_in') return channel
  return 'email'
}
