/** Redirects to the pool's provider; a plain URL, so that a lost sign-in can be restarted. */
import { type LoaderFunctionArgs, redirect } from '@remix-run/node'
import { html } from 'hono/html'
import { HINT_COOKIE, readCookie, withCookies } from '#app/auth/cookies.server.ts'
import { keeper } from '#app/auth/keeper.server.ts'
import { tellMisconfigured } from '#app/auth/login-notice.server.ts'
import { PoolConfigurationError } from '#app/auth/principal.ts'
import { redirectTarget } from '#app/auth/redirect-target.ts'
import { requireStranger } from '../guards.server.ts'

export async function loader(args: LoaderFunctionArgs) {
  const { request, params } = args
  await requireStranger(args)
  const { searchParams } = new URL(request.url)
  const departure = await keeper()
    .startSignIn(request, params.pool ?? '', {
      redirect: redirectTarget(searchParams.get('redirect')),
      remember: searchParams.get('remember') === 'true',
      login_hint: readCookie(request, HINT_COOKIE) ?? undefined,
      prompt: searchParams.has('fresh') ? 'login' : undefined,
      identity_provider: searchParams.get('identity_provider') ?? undefined,
      screen_hint: (['forgotPassword', 'signIn', 'signUp'] as const).find((name) => searchParams.has(name)),
    })
    .catch((error) => sayMisconfigured(args, error))
  if (!departure) throw new Response('Not Found', { status: 404 })
  const headers = withCookies(departure.cookies)
  return departure.is_foreign
    ? leaveSite(departure.location, headers)
    : redirect(departure.location, { headers })
}

/** Reported at /login, where every sign-in begins; the details are in the log. */
function sayMisconfigured({ context }: LoaderFunctionArgs, error: unknown): never {
  if (!(error instanceof PoolConfigurationError)) throw error
  context.found.set('problem', error.message)
  throw redirect('/login', { headers: withCookies([tellMisconfigured(context.request_id)]) })
}

/**
 * The answer to a form may redirect only within our site (Content-Security-Policy, form-action), and browsers count
 * the whole chain of redirects from the form at /login. So the redirect to another site starts from a page.
 */
function leaveSite(location: string, headers: Headers): Response {
  headers.set('Content-Type', 'text/html; charset=utf-8')
  return new Response(
    String(html`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Sign In · Liftwell</title>
<meta http-equiv="refresh" content="0;url=${location}"></head>
<body><main><h1>Sign In</h1><p><a href="${location}">Continue to sign in</a></p></main></body></html>`),
    { headers },
  )
}
