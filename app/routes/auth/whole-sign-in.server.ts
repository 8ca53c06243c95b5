/**
 * The way in from a lift's link: the first screen asks for the address, the password and whether to be remembered,
 * all at once. Whichever lift it is, and whether there is one, the way is the same.
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

/** What the address says when somebody is sent to sign in; who chose /login themselves says more. */
const ARRIVING = new Set(['redirect', 'expired'])

/** Null where /login is to ask for the address first. */
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

/** One that does not work is nothing to be told here: /login says so. */
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

/** Nobody was asked for an address before this screen. */
export const asksAll = ({ username }: Interaction): boolean => username === ''

type Said = { username: string; remember: boolean }

/**
 * At the provider of unknown addresses, whoever is known to belong to another one is led there. Of the others, the
 * browser remembers what they wish.
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
