import type { NumberState } from '../consent/consent.ts'
import type { Channel } from '../journeys/channel.ts'

/** The first of the journey's channels that can reach the person; otherwise e-mail. */
export function chooseChannel(channels: readonly Channel[], number: NumberState | undefined): Channel {
  for (const channel of channels) if (channel !== 'sms' || number === 'opted_in') return channel
  return 'email'
}
