/** Where a visitor may be sent after signing in: a path of this site, and nothing that only looks like one. */

/** URLs are resolved against an origin that nobody has: a result with another origin would leave our site. */
const NOWHERE = 'https://redirect.invalid'
const LONGEST = 2000

/** The query parameter that opens the question whether to log out, over any page. */
const LOG_OUT = 'log_out'

/** Backslashes, control characters and white space, with which browsers turn a path into another address. */
const REPAIRED = /[\\\s\p{Cc}]/u
/** The same characters, or a second slash, encoded once or more. */
const HIDDEN = /^\/+%(?:25)*(?:2f|5c|09|0a|0d)/i

export function redirectTarget(wanted: string | null | undefined, fallback = '/'): string {
  if (!wanted || wanted.length > LONGEST) return fallback
  if (!/^\/(?!\/)/.test(wanted) || REPAIRED.test(wanted) || HIDDEN.test(wanted)) return fallback
  if (!URL.canParse(wanted, NOWHERE)) return fallback

  const url = new URL(wanted, NOWHERE)
  if (url.origin !== NOWHERE || url.username || url.pathname.startsWith('//')) return fallback
  if (isSignIn(url.pathname)) return fallback
  // Nobody signs in to be asked whether they want to log out.
  if (url.searchParams.has(LOG_OUT)) url.searchParams.delete(LOG_OUT)
  return `${url.pathname}${url.search}${url.hash}`
}

/** After signing in, these paths would only start another sign-in or sign-out. */
const isSignIn = (path: string): boolean => /^\/(login|logout|auth|idp|api)(\/|$)/i.test(path)

/** The address of a sign-in that returns to the requested page. */
export function loginAddress(wanted: string, more: Record<string, string> = {}): string {
  const search = Object.entries({ redirect: redirectTarget(wanted), ...more })
  return `/login?${search.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')}`
}

/** `wanted`, if it is the page of a lift that a message links to. */
export function liftIn(wanted: string | null): string | null {
  const target = redirectTarget(wanted)
  return /^\/lift\/\d+(?:[?#]|$)/.test(target) ? target : null
}

/** Where a second factor is set up by a person who needs one before anything else. */
export const factorAddress = (wanted: string): string =>
  `/settings/security?needed=true&redirect=${encodeURIComponent(wanted)}`
