/** Forms that cannot be accepted at this place or time: their input is kept on the page that says why. */

import { type AppLoadContext, data, redirect } from '@remix-run/node'
import type { ApiClient } from '#app/api/client.server.ts'
import { getCurrentUser } from '#app/api/contract/people/users.ts'
import { isAway } from '#app/api/refuse.server.ts'
import { withCookies } from '#app/auth/cookies.server.ts'
import { redirectTarget } from '#app/auth/redirect-target.ts'
import type { Reason } from '#app/auth/visit.server.ts'
import type { Actor } from '#app/domain/access/actor.ts'
import { placeOf } from '#app/domain/tenants/switch-address.ts'
import { formScopeOf, readMark, scopeId } from '#app/domain/users/form-scope.ts'
import type { KeptForm } from '#app/ui/form/kept-form.tsx'
import { FORM_KEY, SCOPE } from '#app/ui/form/scoped-form.tsx'
import { ENDED } from './auth/signed-out.tsx'

type Args = { request: Request; context: AppLoadContext }
type Why = Pick<KeptForm, 'needs' | 'first' | 'ended' | 'drawn_for' | 'here'>

export const SECOND_FACTOR: Why = {
  needs: 'second_factor',
  first: { href: '/settings/security?needed=true', words: 'Set up a second factor' },
}
const AWAY: Why = { needs: 'away' }
const SIGN_IN: Why = { needs: 'sign_in', first: { href: '/login', words: 'Sign in' } }

/** The input of a form that is not accepted yet; passwords have to be typed again, files chosen again. */
export async function keptForm({ request, context }: Args, why: Why): Promise<KeptForm> {
  const url = new URL(request.url)
  url.searchParams.delete(SCOPE)
  const sent = [...(await request.formData())]
  const fields = sent.flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' && !/password|secret/.test(name) ? [[name, value]] : [],
  )
  const is_complete = fields.length === sent.length
  const own = [[SCOPE, markOf(context)] as const, [FORM_KEY, keyOf(context)] as const]
  for (const [name, value] of own) if (value) fields.push([name, value])
  return { ...why, to: `${url.pathname}${url.search}`, fields, is_complete }
}

const markOf = ({ found }: AppLoadContext) => found.get('drawn_for') as string | undefined
/** It may have been carried out although no answer arrived: with the same key, it is the same request. */
const keyOf = ({ found }: AppLoadContext) => found.get('form_key') as string | undefined

/** The mark of the submitted form; none if nothing was submitted, or by a script that names no scope. */
async function readSent({ request, context }: Args): Promise<string | undefined> {
  if (request.method === 'GET' || !context.found.has('read_form')) return undefined
  await request.formData()
  return markOf(context)
}

/** Whether the form ends an impersonation, which may have ended in another tab or by time. */
const leadsHome = async (request: Request) =>
  (await request.formData()).get('intent') === 'stop_impersonating'

/** Refuses a form that was rendered for another scope than the current one. */
export async function requireSameScope(args: Args, actor: Actor, api: ApiClient): Promise<void> {
  const mark = await readSent(args)
  if (mark === undefined) return
  const drawn = readMark(mark)
  if (drawn.id === scopeId(actor)) return
  if (!actor.is_impersonating && (await leadsHome(args.request))) return
  const to = await ledHere(args.request, actor)
  if (to !== null) throw redirect(to)
  const here = formScopeOf(await api(getCurrentUser)).name
  throw await refused(args, { needs: 'place', first: wayBack(drawn.id, actor), drawn_for: drawn.name, here })
}

/** After a double press of a switch, whose first request has led to the wanted place: the next page. */
async function ledHere(request: Request, { tenant_id, sub_tenant_id }: Actor): Promise<string | null> {
  const form = await request.formData()
  const isEntering = form.get('intent') === 'enter_sub_tenant'
  const wanted = isEntering ? `${tenant_id}/${form.get('sub_tenant_id')}` : form.get('place')
  return wanted === placeOf(tenant_id, sub_tenant_id)
    ? redirectTarget(String(form.get('redirect') ?? ''))
    : null
}

/** For another person, the way back is logging out, not changing the place. */
function wayBack(drawn: string, actor: Actor): NonNullable<Why['first']> {
  if (!drawn.startsWith(`${actor.user_id}/`)) return { href: '/logout', words: 'Log out here' }
  return { href: actor.is_super_admin ? '/switch' : '/subtenants', words: 'Go back there' }
}

/** Keeps a form whose scope was closed while it was being filled in. */
export async function keepFor(args: Args, to: string): Promise<void> {
  const mark = await readSent(args)
  if (mark === undefined || (await leadsHome(args.request))) return
  const first =
    to === '/tenants' ? { href: '/switch', words: 'Go back there' } : { href: to, words: 'Go on elsewhere' }
  throw await refused(args, { needs: 'open_place', first, drawn_for: readMark(mark).name })
}

const refused = async (args: Args, why: Why) => data(await keptForm(args, why), { status: 409 })

/** The maximum size of a form from somebody who is not signed in. */
const MAX_OF_STRANGERS = 100_000

/** Reads the form, a larger one without its files. False if it is still too large, or no form. */
async function isReadOfStranger(args: Args): Promise<boolean> {
  const { request, context } = args
  const length = Number(request.headers.get('content-length') ?? Number.POSITIVE_INFINITY)
  if (length > MAX_OF_STRANGERS) {
    const read = context.found.get('read_without_files') as (() => Promise<FormData>) | undefined
    if (!(await read?.().catch(() => null))) return false
  }
  return (await readSent(args)) !== undefined
}

/** Keeps a form whose session ended while it was being filled in. */
export async function keepForSignIn(args: Args, cookies: string[], ended: Reason | null): Promise<void> {
  if (!(await isReadOfStranger(args))) return
  throw data(await keptForm(args, ended ? { ...SIGN_IN, ended: ENDED[ended] } : SIGN_IN), {
    status: 401,
    headers: withCookies(cookies),
  })
}

/** Keeps a form whose sender could not be identified for the moment. */
export async function keepForLater(args: Args, error: unknown): Promise<never> {
  throw isAway(error) && (await isReadOfStranger(args)) ? later(args, await keptForm(args, AWAY)) : error
}

/** Keeps the input before a page is rendered again, in case that fails as well. */
export async function keepMeanwhile(args: Args): Promise<void> {
  args.context.found.set('kept_form', await keptForm(args, AWAY))
}

export async function orKept<Page>({ context }: Pick<Args, 'context'>, page: Promise<Page>): Promise<Page> {
  try {
    return await page
  } catch (error) {
    const kept = context.found.get('kept_form') as KeptForm | undefined
    throw kept && isAway(error) ? later({ context }, kept) : error
  }
}

function later({ context }: Pick<Args, 'context'>, kept: KeptForm) {
  // Adds Retry-After.
  context.outage = true
  return data(kept, { status: 503 })
}
