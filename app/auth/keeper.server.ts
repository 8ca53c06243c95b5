/** Chooses what keeps sessions and sign-ins in progress: our database, or the browsers' own cookies (elsewhere/). */
import { getConfig } from '#app/config.server.ts'
import { type Arrival, finishSignIn } from './arrival.server.ts'
import * as elsewhereSessions from './elsewhere/sessions.server.ts'
import * as elsewhereSignIn from './elsewhere/sign-in.server.ts'
import * as elsewhereVisit from './elsewhere/visit.server.ts'
import { type Entry, enterByLink, findEntry } from './link-entry.server.ts'
import { noteRefusal, type SignInRefusal } from './pools/refused-sign-ins.server.ts'
import * as moves from './sessions/move-session.server.ts'
import type { Session } from './sessions/session-store.server.ts'
import type { Departure, Wish } from './sign-in.server.ts'
import * as signIn from './sign-in.server.ts'
import { type Leaving, signedOutBefore, signOut } from './sign-out.server.ts'
import { findVisit, type Visit } from './visit.server.ts'

type Named = { id: string; name: string }

/** Functions that change a session return its cookies. */
export type Keeper = {
  findVisit(request: Request): Promise<Visit>
  poolOfEmail(email: string): Promise<{ id: string }>
  offersSignUp(): Promise<boolean>
  poolOfPasswords(): Promise<string | null>
  targetOfSignIn(request: Request): Promise<string>
  rememberSignIn(request: Request, remember: boolean): Promise<void>
  startSignIn(request: Request, pool: string, wish: Wish): Promise<Departure | null>
  finishSignIn(request: Request): Promise<Arrival>
  findWantedTarget(request: Request): Promise<string | null>
  findEntry(token: string): Promise<Entry | null>
  enterByLink(request: Request, token: string): Promise<string[] | null>
  noteRefusal(refusal: SignInRefusal, request_id: string): Promise<void>
  signOut(session: Session): Promise<Leaving>
  /** Null where the session has to be looked up first. */
  signOutUnasked(request: Request): Promise<Leaving | null>
  signedOutBefore(request: Request): Promise<Leaving>
  impersonate(
    session: Session,
    tenant: Named,
    wish: { reason?: string | undefined; sub_tenant?: Named | undefined },
  ): Promise<string[]>
  stopImpersonating(session: Session): Promise<string[]>
  enterSubTenant(session: Session, sub_tenant: Named): Promise<string[]>
  leaveSubTenant(session: Session): Promise<string[]>
}

const one = async (cookie: Promise<string>): Promise<string[]> => [await cookie]

const IN_DATABASE: Keeper = {
  findVisit,
  poolOfEmail: signIn.poolOfEmail,
  offersSignUp: signIn.offersSignUp,
  poolOfPasswords: signIn.poolOfPasswords,
  targetOfSignIn: signIn.targetOfSignIn,
  rememberSignIn: signIn.rememberSignIn,
  startSignIn: signIn.startSignIn,
  finishSignIn,
  findWantedTarget: signIn.findWantedTarget,
  findEntry,
  enterByLink,
  noteRefusal,
  signOut,
  signOutUnasked: async () => null,
  signedOutBefore: (request) => signedOutBefore(request),
  impersonate: (session, { id }, { reason, sub_tenant }) =>
    one(moves.impersonate(session, id, { reason, sub_tenant_id: sub_tenant?.id })),
  stopImpersonating: (session) => one(moves.stopImpersonating(session)),
  enterSubTenant: (session, { id }) => one(moves.enterSubTenant(session, id)),
  leaveSubTenant: (session) => one(moves.leaveSubTenant(session)),
}

const IN_COOKIES: Keeper = {
  findVisit: elsewhereVisit.findVisit,
  poolOfEmail: elsewhereSignIn.poolOfEmail,
  offersSignUp: async () => false,
  poolOfPasswords: async () => null,
  targetOfSignIn: async () => '/',
  rememberSignIn: async () => {},
  startSignIn: elsewhereSignIn.startSignIn,
  finishSignIn: elsewhereSignIn.finishSignIn,
  findWantedTarget: async () => null,
  findEntry: async () => null,
  enterByLink: async () => null,
  noteRefusal: async () => {},
  signOut: elsewhereSessions.signOut,
  signOutUnasked: elsewhereSessions.signOutUnasked,
  signedOutBefore: elsewhereSessions.signedOutBefore,
  impersonate: (session, { id, name }, { sub_tenant }) =>
    elsewhereSessions.impersonate(session, id, { name, sub_tenant }),
  stopImpersonating: elsewhereSessions.stopImpersonating,
  enterSubTenant: elsewhereSessions.enterSubTenant,
  leaveSubTenant: elsewhereSessions.leaveSubTenant,
}

export const keeper = (): Keeper => (getConfig().WEB_TIER ? IN_COOKIES : IN_DATABASE)
