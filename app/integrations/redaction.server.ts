/** Removes from log lines and error reports: passwords, tokens, codes, cookies, phone numbers, e-mail addresses. */

const HIDDEN = '[hidden]'
const SECRET_FIELD =
  /pass(word|wd|phrase)|secret|token|cookie|authorization|otp|totp|\bseed\b|^code$|_code$|Code$|^verifier$|credential|api_?key|phone|e_?mail|^to$|recipient|destination|^body$|^headers$/i
const HARMLESS_FIELD = /^(status_?code|token_use|token_type|challenge_name)$/i
const DEPTH = 6

const EMAIL = /[\w.+%'-]{1,64}(?:@|%40)[\w-]{1,63}(?:\.[\w-]{1,63})+/g
const PHONE = /\+\d[\d ().-]{6,18}\d/g
const JWT = /\bey[\w-]{8,2000}\.[\w-]{8,4000}\.?[\w-]{0,2000}/g
const API_KEY = /\blw_[0-9a-f]{16,64}/g
const BEARER = /\b(Bearer|Basic)\s+[\w.~+/=-]{6,}/gi
const ASSIGNED =
  /\b(k|code|token|password|secret|state|code_verifier|refresh_token|access_token|id_token)=[^\s&"'\\]+/gi
/** The segment after these paths is a secret that gives access. */
const DOOR = /(\/(?:unsubscribe|mail_stops|invitation\/[\w-]+)\/)[^\s/?#"\\]+/g
/** Control characters beyond ASCII, which some terminals and line readers interpret. */
const UNRULY = /[\u0080-\u009f\u2028\u2029]/g

/** Removes secrets anywhere in a text. Applied to each finished line. */
export function concealText(text: string): string {
  return text
    .replace(JWT, HIDDEN)
    .replace(API_KEY, HIDDEN)
    .replace(DOOR, `$1${HIDDEN}`)
    .replace(BEARER, `$1 ${HIDDEN}`)
    .replace(ASSIGNED, `$1=${HIDDEN}`)
    .replace(EMAIL, HIDDEN)
    .replace(PHONE, HIDDEN)
    .replace(UNRULY, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

export function concealFields(fields: Record<string, unknown>): Record<string, unknown> {
  return conceal(fields, 0) as Record<string, unknown>
}

function conceal(value: unknown, depth: number): unknown {
  if (value === null || typeof value !== 'object' || value instanceof Error || value instanceof Date)
    return value
  if (depth > DEPTH) return '[deep]'
  if (Array.isArray(value)) return value.slice(0, 100).map((item) => conceal(item, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, isSecret(name) ? HIDDEN : conceal(field, depth + 1)]),
  )
}

const isSecret = (name: string) => SECRET_FIELD.test(name) && !HARMLESS_FIELD.test(name)

type PlainError = { type: string; message: string; code?: string; stack?: string; cause?: unknown }

/** An error without the fields that libraries hang on it: requests, parameters, answers. */
export function plainError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return typeof error === 'object' ? conceal(error, 0) : error
  const plain: PlainError = { type: error.name, message: error.message }
  const { code } = error as { code?: unknown }
  if (typeof code === 'string' && /^[A-Z0-9_]{4,40}$/.test(code)) plain.code = code
  if (error.stack) plain.stack = error.stack
  if (error.cause && depth < 3) plain.cause = plainError(error.cause, depth + 1)
  return plain
}
