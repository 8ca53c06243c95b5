/** The link of an invitation leads to the screen for choosing a password. Opening it does not use it up. */
import { type LoaderFunctionArgs, redirect } from '@remix-run/node'
import { INVITATION_COOKIE, withCookies, writeCookie } from '#app/auth/cookies.server.ts'
import { keeper } from '#app/auth/keeper.server.ts'
import { redirectWithToast } from '../flash.server.ts'
import { visitOf } from '../found-once.server.ts'
import { requireStranger } from '../guards.server.ts'

const SECONDS = 60

export async function loader(args: LoaderFunctionArgs) {
  await tellVisitor(args)
  await requireStranger(args)
  const { pool = '', code = '' } = args.params
  const wish = { redirect: '/', remember: false, prompt: 'login' } as const
  const departure = await keeper().startSignIn(args.request, pool, wish)
  if (!departure || departure.is_foreign) throw new Response('Not Found', { status: 404 })
  const cookie = writeCookie(INVITATION_COOKIE, code, { maxAge: SECONDS })
  return redirect(departure.location, { headers: withCookies([...departure.cookies, cookie]) })
}

/** Somebody else may be signed in in this browser, so the page says who. */
async function tellVisitor(args: LoaderFunctionArgs): Promise<void> {
  const visit = await visitOf(args)
  if (visit.kind === 'visitor')
    throw await redirectWithToast('/', {
      title: `You are signed in as ${visit.session.principal.email}`,
      message: 'If this invitation is for someone else, log out first, then open its link again.',
      variant: 'info',
    })
}
