/** Every cookie of the product: names, writing and reading. */

export const SESSION_COOKIE = '__Host-liftwell'
/** The state of a sign-in in progress; one cookie for each, `name:uuid`. */
export const STATE_COOKIE = '__Host-oauth'
/** The address typed at /login, for the provider. */
export const HINT_COOKIE = '__Host-hint'
/** The code of an invitation link, for the provider. */
export const INVITATION_COOKIE = '__Host-invitation'
/** Marks that a sign-in whose state was lost has been restarted, which happens once. */
export const RESTARTED_COOKIE = '__Host-restarted'
/** For convenience only; the specification names them. */
export const POOL_COOKIE = 'pool'
export const EMAIL_COOKIE = 'rememberedEmail'

export const WEEK = 7 * 24 * 60 * 60
const HINT_SECONDS = 10 * 60

type Options = { maxAge?: number | undefined; sameSite?: 'Lax' | 'Strict' }

/** Without `maxAge` it is a session cookie. */
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

/** Null also when the cookie came twice, because either of them could be foreign. */
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
