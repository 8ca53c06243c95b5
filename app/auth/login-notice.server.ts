/** The notice that /login shows once, carried in a cookie that only this site can set. */
import { clearCookie, readCookie, writeCookie } from './cookies.server.ts'
import type { Reason } from './visit.server.ts'

const COOKIE = '__Host-login-notice'
const SECONDS = 10 * 60
const REASONS: readonly Reason[] = ['account_disabled', 'tenant_inactive', 'sub_tenant_inactive']

export type LoginNotice = {
  ended: Reason | null
  misconfigured: string | null
}

export const tellWhyEnded = (reason: Reason): string => writeCookie(COOKIE, reason, { maxAge: SECONDS })

export const tellMisconfigured = (request_id: string): string =>
  writeCookie(COOKIE, `misconfigured:${request_id}`, { maxAge: SECONDS })

export function readLoginNotice(request: Request): LoginNotice & { cookies: string[] } {
  const told = readCookie(request, COOKIE)
  return {
    ended: REASONS.find((reason) => reason === told) ?? null,
    misconfigured: /^misconfigured:([\w-]{1,100})$/.exec(told ?? '')?.[1] ?? null,
    cookies: told === null ? [] : [clearCookie(COOKIE)],
  }
}
