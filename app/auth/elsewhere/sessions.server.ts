/** Sessions kept only in their browsers' cookies. */

import { forbidden } from '#app/domain/errors.ts'
import { beginningOf } from '#app/domain/text/beginning.ts'
import type { Named } from '#app/elsewhere/person.server.ts'
import { clearCookie, POOL_COOKIE, SESSION_COOKIE } from '../cookies.server.ts'
import { revokeTokens } from '../pools/provider-tokens.server.ts'
import type { Session } from '../sessions/session-store.server.ts'
import { endSessionAddress, type Leaving, signInAddress } from '../sign-out.server.ts'
import { KeptSession } from './kept-session.ts'
import { poolOf } from './providers.server.ts'
import { clearPieces, openValue, readPieces, sealValue, writePieces } from './sealed-cookies.server.ts'

const PURPOSE = 'session'
const IMPERSONATION_MS = 4 * 60 * 60 * 1000

/** Null when there is no session, it has expired, or it is not ours. */
export async function readKept(request: Request): Promise<KeptSession | null> {
  const sealed = readPieces(request, SESSION_COOKIE)
  const kept = sealed && (await openValue(sealed, PURPOSE, KeptSession))
  return kept && kept.expires_at > Date.now() ? kept : null
}

export async function keep(session: KeptSession): Promise<string[]> {
  const maxAge = session.remember ? (session.expires_at - Date.now()) / 1000 : undefined
  // The ID token serves only the provider's sign-out: it is dropped where the tokens are too long.
  for (const one of [session, { ...session, id_token: null }]) {
    const pieces = writePieces(SESSION_COOKIE, await sealValue(one, PURPOSE), maxAge)
    if (pieces) return pieces
  }
  throw new Error('The tokens of this provider are too long for the cookies of a session.')
}

export const forget = (): string[] => clearPieces(SESSION_COOKIE)

function keptOf({ kept }: Session): KeptSession {
  if (!kept) throw new Error('This session is not kept in cookies.')
  return kept
}

/** Shortens names, because cookies have little room. */
const shortly = ({ id, name }: Named): Named => ({ id, name: beginningOf(name, 200) })

type Entering = { name: string; sub_tenant?: Named | undefined }

/** The server decides at the next request, which is made in that tenant's name, whether they may. */
export function impersonate(session: Session, id: string, { name, sub_tenant }: Entering): Promise<string[]> {
  if (!session.principal.is_super_admin) throw forbidden()
  return keep({
    ...keptOf(session),
    impersonated: shortly({ id, name }),
    impersonation_ends_at: Date.now() + IMPERSONATION_MS,
    sub_tenant: sub_tenant ? shortly(sub_tenant) : null,
  })
}

export const atHome = (kept: KeptSession): KeptSession => ({
  ...kept,
  impersonated: null,
  impersonation_ends_at: null,
  sub_tenant: null,
})

export const stopImpersonating = (session: Session): Promise<string[]> => keep(atHome(keptOf(session)))

export const enterSubTenant = (session: Session, sub_tenant: Named): Promise<string[]> =>
  keep({ ...keptOf(session), sub_tenant: shortly(sub_tenant) })

export const leaveSubTenant = (session: Session): Promise<string[]> =>
  keep({ ...keptOf(session), sub_tenant: null })

export const signOut = (session: Session): Promise<Leaving> => leave(keptOf(session))

/** The cookies suffice for signing out: the other server need not answer. */
export async function signOutUnasked(request: Request): Promise<Leaving | null> {
  const kept = await readKept(request)
  return kept && leave(kept)
}

/** A browser without a session has nothing to leave by. */
export const signedOutBefore = async (): Promise<Leaving> => ({
  location: signInAddress(),
  cookies: [...forget(), clearCookie(POOL_COOKIE)],
})

async function leave(kept: KeptSession): Promise<Leaving> {
  const pool = await poolOf(kept.provider, kept.client).catch(() => null)
  if (pool) await revokeTokens(pool, kept)
  const left = await signedOutBefore()
  return { ...left, location: (pool && endSessionAddress(pool, kept)) ?? left.location }
}
