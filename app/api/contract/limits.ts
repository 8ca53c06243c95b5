/** Rate limits of calls, and the sizes of their bodies. */
export type Rate = { readonly name: string; readonly perMinute: number }

/** Per person, screens and API calls counted together. */
export const INVITATIONS: Rate = { name: 'invitations', perMinute: 20 }
export const EXPORTS: Rate = { name: 'exports', perMinute: 10 }
export const TESTS: Rate = { name: 'tests', perMinute: 10 }
export const CODES: Rate = { name: 'codes', perMinute: 10 }
export const IMPORTS: Rate = { name: 'imports', perMinute: 10 }

/** Per API key, over all its calls. */
export const KEYS: Rate = { name: 'keys', perMinute: 300 }

/** Per IP address. */
export const SENDING: Rate = { name: 'sending', perMinute: 30 }
export const POOL: Rate = { name: 'pool', perMinute: 60 }

/** Long answers to every question of a lift, in any script. */
export const ANSWER_BYTES = 2_000_000
/** A logo of up to 2 MB in base64. */
export const PICTURE_BYTES = 3_000_000
/** A list of people, or a journey as text, of up to 10 MB. */
export const LIST_BYTES = 10_500_000
/** An author's file of up to 25 MB. */
export const UPLOAD_BYTES = 26_000_000
