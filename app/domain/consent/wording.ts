/** What a person agrees to when asking for text messages. A new text gets a new id; old ones stay on record. */
export const SMS_WORDING = {
  id: 'sms-2026-1',
  text: 'Text me my lifts and reminders at this number. Message and data rates may apply; reply STOP to end them, HELP for help.',
} as const

/** People who reply START have read this in earlier messages. */
export const KEYWORD_WORDING = { id: 'keyword-2026-1', text: 'Reply START to get texts again.' } as const
