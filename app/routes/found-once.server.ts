/** Values that the parallel loaders of one page share. */
import type { LoaderFunctionArgs } from '@remix-run/node'
import { readHere } from '#app/api/instance.server.ts'
import { keeper } from '#app/auth/keeper.server.ts'
import { type Principal, ProviderAwayError } from '#app/auth/principal.ts'
import { lacksSecondFactor } from '#app/auth/second-factor.server.ts'
import type { Visit } from '#app/auth/visit.server.ts'

export type Args = Pick<LoaderFunctionArgs, 'request' | 'context'>
type InScope = ReturnType<typeof readHere>

export function lacksFactor(args: Args, principal: Principal): Promise<boolean> {
  const { context } = args
  const known = context.found.get('lacks_second_factor') as Promise<boolean> | undefined
  const asked = known ?? lacksSecondFactor(principal, readsOf(args))
  context.found.set('lacks_second_factor', asked)
  return asked
}

/** All reads of a page share a transaction. */
export function readsOf({ context }: Args): InScope {
  const known = context.found.get('reads') as InScope | undefined
  const reads = known ?? readHere()
  context.found.set('reads', reads)
  return reads
}

export function visitOf({ request, context }: Args): Promise<Visit> {
  const known = context.found.get('visit') as Promise<Visit> | undefined
  const visit = known ?? keeper().findVisit(request).catch(tellLater)
  context.found.set('visit', visit)
  return visit.then((found) => {
    if (found.kind === 'visitor') context.found.set('who', whoIs(found))
    if (found.keeps) context.found.set('session_cookies', found.keeps)
    return found
  })
}

/** A form may take so long to arrive that its sender has been let out meanwhile. */
const LONG_MS = 1000

export async function visitWhenRead(args: Args): Promise<Visit> {
  const { request, context } = args
  const visit = await visitOf(args)
  if (visit.kind !== 'visitor' || visit.keeps || !context.found.has('read_form')) return visit
  const began = performance.now()
  // A form that cannot be read is refused by whoever needs it.
  await request.formData().catch(() => {})
  if (performance.now() - began < LONG_MS) return visit
  context.found.delete('visit')
  return visitOf(args)
}

/** The visitor, for the request's log line. */
const whoIs = ({ actor, session }: Extract<Visit, { kind: 'visitor' }>) => ({
  user_id: session.principal.user_id,
  tenant_id: actor.tenant_id,
})

/** The tokens need a refresh and the provider is unavailable: nobody is signed out for that. */
function tellLater(error: unknown): never {
  if (!(error instanceof ProviderAwayError)) throw error
  throw new Response('The sign-in service does not answer.', { status: 503, headers: { 'Retry-After': '5' } })
}
