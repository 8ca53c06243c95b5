export const CHANNELS = ['sms', 'email', 'in_app'] as const
export type Channel = (typeof CHANNELS)[number]
/** The channels of messages, in words. */
export const CHANNEL_WORDS: Readonly<Record<Channel, string>> = {
  sms: 'text message',
  // With a hyphen at which no line breaks.
  email: 'e\u2011mail',
  in_app: 'notification in Liftwell',
}
