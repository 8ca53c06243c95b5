export const CHANNELS = ['sms', 'email', 'in_app'] as const
export type Channel = (typeof CHANNELS)[number]
/** The channels of messages, in words. */
export const CHANNEL_WORDS: Readonly<Record<Channel, string>> = {
  sms: 'text message',
  email: 'e-mail',
  in_app: 'notification in Liftwell',
}
