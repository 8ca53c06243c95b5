import { Flex, Heading, Text } from '@radix-ui/themes'
import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
  redirectDocument,
} from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { withCookies, writeHint } from '#app/auth/cookies.server.ts'
import { keeper } from '#app/auth/keeper.server.ts'
import type { Entry } from '#app/auth/link-entry.server.ts'
import { loginAddress } from '#app/auth/redirect-target.ts'
import { Day } from '#app/ui/day.tsx'
import { SubmitButton } from '#app/ui/form/form.tsx'
import { Form } from '#app/ui/form/scoped-form.tsx'
import { Link } from '#app/ui/link.tsx'
import { setToast } from '../flash.server.ts'
import { requireStranger } from '../guards.server.ts'

export const meta: MetaFunction = () => [
  { title: 'Sign In · Liftwell' },
  { name: 'robots', content: 'noindex' },
]

const tokenOf = (request: Request): string => new URL(request.url).searchParams.get('k') ?? ''

/** Opening the link does not sign in: scanners of mail open every link. */
export async function loader(args: LoaderFunctionArgs) {
  const { cookies } = await requireStranger(args)
  const lift = `/lift/${encodeURIComponent(args.params.liftId ?? '')}`
  const entry = await keeper().findEntry(tokenOf(args.request))
  if (entry?.kind !== 'offer') throw await signInFirst(lift, entry)
  const { first_name, until, zone } = entry
  const elsewhere = loginAddress(lift)
  return data({ first_name, until: until.toISOString(), zone, elsewhere }, { headers: withCookies(cookies) })
}

export async function action(args: ActionFunctionArgs) {
  await requireStranger(args)
  const lift = `/lift/${encodeURIComponent(args.params.liftId ?? '')}`
  const token = tokenOf(args.request)
  const cookies = await keeper().enterByLink(args.request, token)
  if (!cookies) return signInFirst(lift, await keeper().findEntry(token))
  return redirectDocument(lift, { headers: withCookies(cookies) })
}

/** Leads to the usual sign-in and then to the lift, without asking again for the address of the link's owner. */
async function signInFirst(lift: string, entry: Entry | null): Promise<Response> {
  const why = await setToast(ONCE)
  if (entry?.kind !== 'sign_in') return redirect(loginAddress(lift), { headers: withCookies([why]) })
  return redirect(`/auth/start/${entry.pool_id}?redirect=${encodeURIComponent(lift)}`, {
    headers: withCookies([writeHint(entry.email), why]),
  })
}

const ONCE = {
  title: 'Please sign in',
  message: 'The link in your message signs you in once, within 24 hours. After you sign in, your lift opens.',
  variant: 'info',
} as const

export default function EnterByLink() {
  const { first_name, until, zone, elsewhere } = useLoaderData<typeof loader>()
  return (
    <Form method="post" reloadDocument>
      <Flex direction="column" gap="4">
        <Heading as="h1" size="6">
          {`Welcome, ${first_name}`}
        </Heading>
        <Text as="p">
          The link in your message signs you in once, until <Day at={until} zone={zone} timed />. Use it only
          on your own device.
        </Text>
        <SubmitButton>{`Continue as ${first_name}`}</SubmitButton>
        <Text size="2" align="center">
          <Link to={elsewhere}>Sign in as somebody else</Link>
        </Text>
      </Flex>
    </Form>
  )
}
