/**
 * Sign-in from a lift's link: the first screen asks for address, password and "remember me" together. It is the same
 * for every lift, whether that exists or not.
 */
import { redirectDocument } from '@remix-run/node'
import {
  clearCookie,
  EMAIL_COOKIE,
  HINT_COOKIE,
  readCookie,
  rememberCookies,
  withCookies,
  writeHint,
} from '#app/auth/cookies.server.ts'
import type { Interaction } from '#app/auth/identity-port.ts'
import { keeper } from '#app/auth/keeper.server.ts'
import { liftIn } from '#app/auth/redirect-target.ts'

/** URL parameters when somebody is sent to sign in; a visit to /login by choice has others. */
const ARRIVING = new Set(['redirect', 'expired'])

/** Null if /login has to ask for the address first. */
export async function wholeSignIn(request: Request): Promise<Response | null> {
  const { searchParams } = new URL(request.url)
  const lift = liftIn(searchParams.get('redirect'))
  if (lift === null || [...searchParams.keys()].some((name) => !ARRIVING.has(name))) return null
  const known = readCookie(request, EMAIL_COOKIE)
  const pool = known === null ? await keeper().poolOfPasswords() : await poolOf(known)
  if (pool === null) return null
  const remember = known === null ? {} : { remember: 'true' }
  return leaveFor(pool, { redirect: lift, signIn: 'true', ...remember }, known)
}

/** A broken pool is ignored here: /login reports it. */
const poolOf = (email: string): Promise<string | null> =>
  keeper()
    .poolOfEmail(email)
    .then(
      ({ id }) => id,
      () => null,
    )

const leaveFor = (pool: string, wish: Record<string, string>, email: string | null): Response =>
  redirectDocument(`/auth/start/${pool}?${new URLSearchParams(wish)}`, {
    headers: withCookies([email === null ? clearCookie(HINT_COOKIE) : writeHint(email)]),
  })

/** The address has not been asked for before this screen. */
export const asksAll = ({ username }: Interaction): boolean => username === ''

type Said = { username: string; remember: boolean }

/**
 * At the default provider, people known to belong to another provider are redirected there. For the others, stores
 * whether the browser should remember them.
 */
export async function settleWhole(
  request: Request,
  { pool_id }: Interaction,
  { username, remember }: Said,
): Promise<string[]> {
  const isFirst = pool_id === (await keeper().poolOfPasswords())
  const pool = (isFirst && (await poolOf(username))) || pool_id
  if (pool !== pool_id) {
    const redirect = await keeper().targetOfSignIn(request)
    throw leaveFor(pool, { redirect, ...(remember && { remember: 'true' }) }, username)
  }
  await keeper().rememberSignIn(request, remember)
  return rememberCookies(remember ? { email: username, pool } : null)
}
