import { Card, Flex, Heading, Text } from '@radix-ui/themes'
import { data, type LoaderFunctionArgs, type MetaFunction, redirect } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import type { Arrival } from '#app/auth/arrival.server.ts'
import {
  clearCookie,
  HINT_COOKIE,
  POOL_COOKIE,
  RESTARTED_COOKIE,
  readCookie,
  withCookies,
  writeCookie,
} from '#app/auth/cookies.server.ts'
import { keeper } from '#app/auth/keeper.server.ts'
import { tellMisconfigured } from '#app/auth/login-notice.server.ts'
import { loginAddress, redirectTarget } from '#app/auth/redirect-target.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { Bare } from '#app/ui/frame/bare.tsx'
import { ENDED } from './signed-out.tsx'

const PAGES = {
  expired: {
    title: 'Your sign-in expired, try again',
    text: 'It took too long, or it was started in another browser.',
    link: { to: '/login', words: 'Back to Sign In' },
  },
  refused: {
    title: 'You are not signed in',
    text: 'Your sign-in was not completed. Please try again.',
    link: { to: '/login', words: 'Back to Sign In' },
  },
  provider_away: {
    title: 'You are not signed in yet',
    text: 'The sign-in service does not answer right now. Please try again in a moment.',
    link: { to: '/login', words: 'Back to Sign In' },
  },
  unverified: {
    title: 'You are not signed in',
    text: 'Your email address is not verified yet. Sign in again and verify it, or ask an administrator of your company.',
    link: { to: '/login?fresh=true', words: 'Back to Sign In' },
  },
  no_access: {
    title: 'This account has no access to Liftwell',
    text: 'Ask an administrator of your company for an invitation, or sign in with another account.',
    link: { to: '/login?fresh=true', words: 'Use another account' },
  },
}

const STATUS = { refused: 400, unverified: 403, no_access: 403, provider_away: 503 }

const RESTARTED_SECONDS = 5 * 60

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data ? PAGES[data.closed ? 'refused' : data.page].title : 'Sign In'} · Liftwell` },
]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const arrival = await keeper().finishSignIn(request)
  if (arrival.why) {
    context.found.set('problem', arrival.why.reason)
    await keeper().noteRefusal(arrival.why, context.request_id)
  }
  if (arrival.kind === 'lost') return startAgain(request, arrival)

  const spent = [RESTARTED_COOKIE, HINT_COOKIE].filter((name) => readCookie(request, name) !== null)
  const headers = withCookies([...arrival.cookies, ...spent.map(clearCookie)])
  if (arrival.kind === 'misconfigured') {
    context.found.set('problem', arrival.problem)
    headers.append('Set-Cookie', tellMisconfigured(context.request_id))
    throw redirect('/login', { headers })
  }
  if (arrival.kind === 'signed_in') throw redirect(arrival.redirect, { headers })
  const closed = arrival.kind === 'no_access' ? arrival.closed : null
  return data({ page: arrival.kind, closed }, { status: STATUS[arrival.kind], headers })
}

/** Restarts a lost sign-in once, unnoticed if the provider still knows the person; a second loss is reported. */
async function startAgain(request: Request, { attempt, cookies }: Extract<Arrival, { kind: 'lost' }>) {
  const visit = await keeper().findVisit(request)
  if (visit.kind !== 'stranger') throw redirect('/', { headers: withCookies(cookies) })

  if (readCookie(request, RESTARTED_COOKIE) !== null) {
    const headers = withCookies([...cookies, clearCookie(RESTARTED_COOKIE)])
    return data({ page: 'expired' as const, closed: null }, { status: 400, headers })
  }
  const restarted = writeCookie(RESTARTED_COOKIE, 'true', { maxAge: RESTARTED_SECONDS })
  throw redirect(beginning(request, attempt), { headers: withCookies([...cookies, restarted]) })
}

function beginning(request: Request, attempt: Extract<Arrival, { kind: 'lost' }>['attempt']): string {
  const pool = attempt?.pool_id ?? readCookie(request, POOL_COOKIE)
  if (!pool || !/^[a-z0-9_-]+$/.test(pool)) return loginAddress('/', { expired: 'true' })
  const wish = new URLSearchParams({ redirect: redirectTarget(attempt?.redirect_to) })
  if (attempt?.remember) wish.set('remember', 'true')
  return `/auth/start/${pool}?${wish}`
}

export default function Callback() {
  const { page, closed } = useLoaderData<typeof loader>()
  const { title, text, link } = PAGES[page]
  return (
    <Bare>
      <Card size="4">
        <Flex direction="column" gap="4">
          <Heading as="h1" size="6">
            {closed ? PAGES.refused.title : title}
          </Heading>
          <Text as="p">{closed ? ENDED[closed] : text}</Text>
          <ButtonLink to={link.to}>{link.words}</ButtonLink>
        </Flex>
      </Card>
    </Bare>
  )
}
