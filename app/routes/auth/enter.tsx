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
  if (entry?.kind !== 'offer') throw signInFirst(lift, entry)
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
function signInFirst(lift: string, entry: Entry | null): Response {
  if (entry?.kind !== 'sign_in') return redirect(loginAddress(lift))
  return redirect(`/auth/start/${entry.pool_id}?redirect=${encodeURIComponent(lift)}`, {
    headers: withCookies([writeHint(entry.email)]),
  })
}

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
