/** Every cookie of the product: its name, how it is written, how it is read. */

export const SESSION_COOKIE = '__Host-liftwell'
/** The state of a sign-in that is under way; one cookie for each, `name:uuid`. */
export const STATE_COOKIE = '__Host-oauth'
/** What was typed at /login, on its way to the provider. */
export const HINT_COOKIE = '__Host-hint'
/** The code of an invitation's link, on its way to the provider. */
export const INVITATION_COOKIE = '__Host-invitation'
/** A sign-in whose state was lost has been started again, once. */
export const RESTARTED_COOKIE = '__Host-restarted'
/** Convenience only, named by the specification. */
export const POOL_COOKIE = 'pool'
export const EMAIL_COOKIE = 'rememberedEmail'

export const WEEK = 7 * 24 * 60 * 60
const HINT_SECONDS = 10 * 60

type Options = { maxAge?: number | undefined; sameSite?: 'Lax' | 'Strict' }

/** Without `maxAge` it lives as long as the browser's session. */
export function writeCookie(name: string, value: string, { maxAge, sameSite = 'Lax' }: Options = {}): string {
  const age = maxAge === undefined ? '' : `; Max-Age=${Math.max(0, Math.floor(maxAge))}`
  return `${name}=${encodeURIComponent(value)}; Path=/; HttpOnly; Secure; SameSite=${sameSite}${age}`
}

export const writeHint = (email: string): string => writeCookie(HINT_COOKIE, email, { maxAge: HINT_SECONDS })

export function rememberCookies(known: { email: string; pool: string } | null): string[] {
  if (!known) return [clearCookie(POOL_COOKIE), clearCookie(EMAIL_COOKIE)]
  const week = { maxAge: WEEK, sameSite: 'Strict' } as const
  return [writeCookie(POOL_COOKIE, known.pool, week), writeCookie(EMAIL_COOKIE, known.email, week)]
}

export const clearCookie = (name: string): string => writeCookie(name, '', { maxAge: 0 })

/** Null as well when it was sent twice: nobody can say which of them is ours. */
export function readCookie(request: Request, name: string): string | null {
  const values = readCookies(request).filter(([key]) => key === name)
  const [only, ...others] = values
  return only && others.length === 0 ? decode(only[1]) : null
}

export function readCookies(request: Request): [name: string, value: string][] {
  return (request.headers.get('cookie') ?? '').split(';').flatMap((pair) => {
    const at = pair.indexOf('=')
    return at < 1 ? [] : [[pair.slice(0, at).trim(), pair.slice(at + 1).trim()] as [string, string]]
  })
}

function decode(value: string): string | null {
  try {
    return decodeURIComponent(value)
  } catch {
    return null
  }
}

export function withCookies(cookies: readonly string[], headers: HeadersInit = {}): Headers {
  const all = new Headers(headers)
  for (const cookie of cookies) all.append('Set-Cookie', cookie)
  return all
}
