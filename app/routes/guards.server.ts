/** Every loader and action begins with one of these; each returns the API as its visitor may use it. */
import { data, redirect } from '@remix-run/node'
import { type ApiClient, createApiClient } from '#app/api/client.server.ts'
import { withCookies } from '#app/auth/cookies.server.ts'
import { keeper } from '#app/auth/keeper.server.ts'
import { tellWhyEnded } from '#app/auth/login-notice.server.ts'
import type { Principal } from '#app/auth/principal.ts'
import { factorAddress, loginAddress, redirectTarget } from '#app/auth/redirect-target.ts'
import type { Session } from '#app/auth/sessions/session-store.server.ts'
import type { Visit } from '#app/auth/visit.server.ts'
import { type Actor, isOperator } from '#app/domain/access/actor.ts'
import { redirectWithToast } from './flash.server.ts'
import { type Args, lacksFactor, readsOf, visitOf, visitWhenRead } from './found-once.server.ts'
import {
  keepFor,
  keepForLater,
  keepForSignIn,
  keptForm,
  requireSameScope,
  SECOND_FACTOR,
} from './kept-form.server.ts'

type Stranger = Extract<Visit, { kind: 'stranger' }>

export type Visitor = {
  api: ApiClient
  session: Session
  actor: Actor
  principal: Principal
  should_enter_subtenant: boolean
  /** True only on the pages for setting one up and the like; everywhere else nobody gets in without one. */
  lacks_second_factor: boolean
}

/** Requires a signed-in person, and nothing else. */
export async function requireVisitor(args: Args): Promise<Visitor> {
  const { request, context } = args
  const visit = await visitWhenRead(args).catch((error) => keepForLater(args, error))
  if (visit.kind === 'moved') {
    await keepFor(args, visit.to)
    throw await moveOn(visit.to)
  }
  if (visit.kind === 'stranger') {
    await keepForSignIn(args, visit.cookies, visit.ended)
    const { cookies, ended } = visit
    if (ended)
      throw redirect(loginAddress(addressOf(request)), {
        headers: withCookies([...cookies, tellWhyEnded(ended)]),
      })
    const expired = cookies.length > 0 ? { expired: 'true' } : {}
    throw redirect(loginAddress(addressOf(request), expired), { headers: withCookies(cookies) })
  }
  const { session, actor, should_enter_subtenant, user } = visit
  const { principal } = session
  // Another server and its provider require one themselves.
  const lacks_second_factor = session.kept ? false : await lacksFactor(args, principal)
  if (lacks_second_factor) await requireSecondFactor(args, principal)
  const api = createApiClient({
    token: session.access_token,
    principal,
    has_second_factor: !lacks_second_factor,
    tenant_id: actor.home_tenant_id,
    impersonate_tenant_id: session.impersonated_tenant_id,
    sub_tenant_id: actor.sub_tenant_id,
    signal: request.signal,
    ip: context.ip,
    request_id: context.request_id,
    found: context.found,
    user,
    place_id: actor.tenant_id,
    reads: readsOf(args),
  })
  await requireSameScope(args, actor, api)
  return { api, session, actor, principal, should_enter_subtenant, lacks_second_factor }
}

/** Pages about the person, open in any place and before any required step. */
const PERSONAL = new Set(['/settings/profile', '/settings/sessions'])
/** Likewise, once the terms are accepted: pages that belong to the profile. */
const OF_PROFILE = new Set([
  '/settings/contact',
  '/settings/contact/remove',
  '/settings/privacy',
  '/settings/privacy/data',
  '/settings/privacy/mails',
  '/settings/security',
  '/settings/security/app',
  '/settings/security/password',
])

/** The dashboard's screens; the profile is open to everyone who is signed in. */
export async function requireDashboard(args: Args): Promise<Visitor> {
  const visitor = await requireVisitor(args)
  const path = pathOf(args.request)
  if (PERSONAL.has(path)) return visitor
  if (OF_PROFILE.has(path)) {
    requireTerms(visitor, args.request)
    return visitor
  }
  if (isOperator(visitor.actor) && path !== '/notifications') throw redirect('/tenants')
  const isChoosing = path === '/subtenants' || path.startsWith('/subtenants/')
  if (visitor.should_enter_subtenant && !isChoosing) throw chooseFirst(args.request)
  requireTerms(visitor, args.request)
  return visitor
}

/** The screens of the tenants themselves: for super admins who are not inside one of them. */
export async function requireSuperAdmin(args: Args): Promise<Visitor> {
  const visitor = await requireVisitor(args)
  if (!isOperator(visitor.actor))
    // A refusal carries the input of a form, which a redirect would lose.
    throw args.request.method === 'GET' ? redirect('/users') : noPermission()
  requireTerms(visitor, args.request)
  return visitor
}

/** A lift linked from a message: after signing in and accepting the terms the person returns to it. */
export async function requireLift(args: Args): Promise<Visitor> {
  leadToEntry(args.request)
  const visitor = await requireVisitor(args)
  requireTerms(visitor, args.request)
  return visitor
}

/** A sign-in link is moved to its own page, so that its token stays in no page's address. */
function leadToEntry({ url }: Request): void {
  const { pathname, searchParams } = new URL(url)
  const token = searchParams.get('k')
  if (token === null || !/^\/lift\/\d+$/.test(pathname)) return
  throw redirect(`${pathname}/enter?${new URLSearchParams({ k: token, redirect: pathname })}`)
}

/** The sign-in screens, which signed-in people are led away from. */
export async function requireStranger(args: Args): Promise<Omit<Stranger, 'kind'>> {
  const visit = await visitOf(args)
  if (visit.kind === 'moved') throw await moveOn(visit.to)
  // Signed in in another tab: this one continues to its destination.
  if (visit.kind === 'visitor') {
    const asked = new URL(args.request.url).searchParams.get('redirect')
    throw redirect(
      asked === null ? ((await keeper().findWantedTarget(args.request)) ?? '/') : redirectTarget(asked),
    )
  }
  return visit
}

/** The visitor's place was closed: they are told so on the page they are led to. */
const moveOn = (to: string) =>
  redirectWithToast(to, {
    title: to === '/tenants' ? 'You have left the company' : 'You can no longer work there',
    message:
      to === '/tenants'
        ? 'Your time there has ended, or the company was deactivated.'
        : 'The sub-tenant is inactive, or your access has changed.',
    variant: 'info',
  })

/** Redirects to the choice of a sub-tenant, and from there to the requested page. */
export function chooseFirst(request: Request): Response {
  const wanted = request.method === 'GET' ? redirectTarget(addressOf(request)) : '/'
  return redirect(wanted === '/' ? '/subtenants' : `/subtenants?redirect=${encodeURIComponent(wanted)}`)
}

/** The page of the refusal shows why. */
export const noPermission = (why = 'You do not have permission to do this.') => data(why, { status: 403 })

function requireTerms({ principal }: Visitor, request: Request): void {
  if (principal.accepted_terms_on !== null) return
  const wanted = encodeURIComponent(redirectTarget(addressOf(request)))
  throw redirect(`/settings/profile?verify=true&redirect=${wanted}`)
}

/** The second factor comes before everything but the terms; a submitted form is kept, to be sent again afterwards. */
async function requireSecondFactor(args: Args, { accepted_terms_on }: Principal): Promise<void> {
  const { request } = args
  const path = pathOf(request)
  const isOwn = PERSONAL.has(path) || OF_PROFILE.has(path) || /^\/(logout|files\/.*)$/.test(path)
  if (isOwn || accepted_terms_on === null) return
  if (request.method === 'GET') throw redirect(factorAddress(redirectTarget(addressOf(request))))
  throw data(await keptForm(args, SECOND_FACTOR), { status: 403 })
}

/** Normalized as routes are matched: ignoring case and a trailing slash. */
const pathOf = (request: Request): string =>
  new URL(request.url).pathname.toLowerCase().replace(/(?<=.)\/+$/, '')

/** The requested page, without parameters of the framework. */
function addressOf(request: Request): string {
  const url = new URL(request.url)
  for (const name of ['index', '_routes', '_data']) url.searchParams.delete(name)
  return `${url.pathname}${url.search}`
}
