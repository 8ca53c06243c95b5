/** Finds out who makes a request by asking the other server's GET /users/me, once per request. */
import { type Asking, askServer, unreadable } from '#app/elsewhere/ask.server.ts'
import { type Person, readPerson, whyOut } from '#app/elsewhere/person.server.ts'
import { id, thing } from '#app/elsewhere/read.server.ts'
import { readCookie, SESSION_COOKIE } from '../cookies.server.ts'
import type { Principal } from '../principal.ts'
import type { Session } from '../sessions/session-store.server.ts'
import type { Visit } from '../visit.server.ts'
import type { KeptSession } from './kept-session.ts'
import { isDue, refresh } from './refresh.server.ts'
import { atHome, forget, keep, readKept } from './sessions.server.ts'

type Reason = Extract<Visit, { kind: 'stranger' }>['ended']

export async function findVisit(request: Request): Promise<Visit> {
  const found = await readKept(request)
  if (!found) return stranger(readCookie(request, SESSION_COOKIE) === null ? [] : forget())
  if (found.impersonation_ends_at !== null && found.impersonation_ends_at <= Date.now())
    return { kind: 'moved', to: '/tenants', keeps: await keep(atHome(found)) }

  const kept = isDue(found) ? await refresh(found) : found
  if (!kept) return stranger(forget())
  const asked = await askWho(kept, request.signal)
  if (asked === 'unknown' || asked === 'refused') return stranger(forget())
  if (asked === 'closed') {
    const to = kept.impersonated ? '/tenants' : '/subtenants'
    return { kind: 'moved', to, keeps: await keep(atHome(kept)) }
  }
  const why = whyOut(asked)
  if (why) return stranger(forget(), why)

  const visit = visitor(kept, asked)
  return kept === found ? visit : { ...visit, keeps: await keep(kept) }
}

const stranger = (cookies: string[], ended: Reason = null): Visit => ({ kind: 'stranger', cookies, ended })

const ME: Asking = { method: 'GET', path: ['users', 'me'] }

type Who = Pick<KeptSession, 'access_token' | 'tenant_id' | 'impersonated' | 'sub_tenant'>

/** `closed`: not allowed in the tenant the session is in, which does not mean the person has no access. */
export async function askWho(
  { access_token: token, tenant_id, impersonated, sub_tenant }: Who,
  signal?: AbortSignal,
): Promise<Person | 'unknown' | 'refused' | 'closed'> {
  const headers = { tenant_id, impersonate_tenant_id: impersonated?.id, sub_tenant_id: sub_tenant?.id }
  try {
    const sent = await askServer(ME, { token, ...headers, signal })
    // An answer without a user says nothing about who is signed in.
    if (id(thing(sent).id) === null) throw unreadable(ME)
    return readPerson(sent, { tenant_id, impersonated, sub_tenant }) ?? 'unknown'
  } catch (error) {
    if (!(error instanceof Response) || ![401, 403, 404].includes(error.status)) throw error
    if (error.status === 401) return 'unknown'
    return impersonated || sub_tenant ? 'closed' : 'refused'
  }
}

function visitor(kept: KeptSession, { user, actor, should_enter_subtenant }: Person): Visit {
  const principal: Principal = {
    user_id: user.id,
    tenant_id: actor.home_tenant_id,
    email: user.email,
    first_name: user.first_name,
    last_name: user.last_name,
    activation_status: user.activation_status,
    is_super_admin: user.is_super_admin,
    // The other server and its provider are responsible for that.
    is_asked_for_second_factor: false,
    accepted_terms_on: user.accept_terms_and_conditions ? new Date(0) : null,
    tenant_status: user.tenant.status,
    pool_id: kept.provider,
    roles: [...actor.general_roles],
  }
  const session: Session = {
    access_token: kept.access_token,
    refresh_token: kept.refresh_token,
    id_token: kept.id_token,
    id_hash: Buffer.alloc(0),
    principal,
    pool_id: kept.provider,
    access_expires_at: new Date(kept.access_expires_at),
    refreshed_at: new Date(kept.refreshed_at),
    remember: kept.remember,
    impersonated_tenant_id: actor.is_impersonating ? actor.tenant_id : null,
    impersonated_status: null,
    impersonation_ends_at: kept.impersonation_ends_at === null ? null : new Date(kept.impersonation_ends_at),
    sub_tenant_id: actor.sub_tenant_id,
    sub_tenant_status: null,
    last_seen_on: new Date(),
    expires_at: new Date(kept.expires_at),
    kept,
  }
  return { kind: 'visitor', session, actor, should_enter_subtenant, user }
}
