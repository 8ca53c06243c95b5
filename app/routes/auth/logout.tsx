import { Card, Flex, Heading, Text } from '@radix-ui/themes'
import {
  type ActionFunctionArgs,
  data,
  type HeadersFunction,
  type LoaderFunctionArgs,
  type MetaFunction,
} from '@remix-run/node'
import { useActionData } from '@remix-run/react'
import { useEffect } from 'react'
import { isAway } from '#app/api/refuse.server.ts'
import { withCookies } from '#app/auth/cookies.server.ts'
import { keeper } from '#app/auth/keeper.server.ts'
import type { Leaving } from '#app/auth/sign-out.server.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { forgetDrafts } from '#app/ui/form/drafts.ts'
import { SubmitButton } from '#app/ui/form/form.tsx'
import { Form } from '#app/ui/form/scoped-form.tsx'
import { Bare } from '#app/ui/frame/bare.tsx'
import { visitOf } from '../found-once.server.ts'
import { requireVisitor } from '../guards.server.ts'

/** From the specification: long enough to read that it worked. */
const REDIRECT_SECONDS = 1

export const meta: MetaFunction = () => [{ title: 'Log out · Liftwell' }]

export async function loader(args: LoaderFunctionArgs) {
  if (args.context.found.get('is_out') !== true) await requireVisitor(args).catch(orAway)
  return null
}

/** A visitor can log out even while they cannot be identified. */
function orAway(error: unknown): void {
  if (!isAway(error)) throw error
}

export async function action(args: ActionFunctionArgs) {
  const { location, cookies } = (await keeper().signOutUnasked(args.request)) ?? (await signOut(args))
  args.context.found.set('is_out', true)
  // Without "cookies": the provider still needs its own. The destination is in a header, because the URL contains a
  // token, and the answer to a form may not lead to another site.
  const headers = withCookies(cookies, {
    'Clear-Site-Data': '"storage"',
    Refresh: `${REDIRECT_SECONDS};url=${location}`,
  })
  return data({ location }, { headers })
}

async function signOut(args: ActionFunctionArgs): Promise<Leaving> {
  const visit = await visitOf(args)
  // After a double press, the first request has logged them out.
  if (visit.kind === 'stranger' && visit.cookies.length > 0 && visit.ended === null)
    return keeper().signedOutBefore(args.request)
  return keeper().signOut((await requireVisitor(args)).session)
}

export const headers: HeadersFunction = ({ actionHeaders }) => actionHeaders ?? new Headers()

export default function LogOut() {
  const left = useActionData<typeof action>()
  return (
    <Bare>
      <Card size="4">{left ? <SignedOut {...left} /> : <Question />}</Card>
    </Bare>
  )
}

function Question() {
  return (
    <Form method="post" reloadDocument>
      <Flex direction="column" gap="4">
        <Heading as="h1" size="6">
          Are you sure you want to log out?
        </Heading>
        <Flex gap="3" wrap="wrap">
          <SubmitButton>Yes, log out</SubmitButton>
          <ButtonLink to="/" variant="soft" color="gray">
            Cancel
          </ButtonLink>
        </Flex>
      </Flex>
    </Form>
  )
}

/** If the browser does not redirect, the link does the same: the provider has to end its session, too. */
function SignedOut({ location }: { location: string }) {
  // For browsers without `Clear-Site-Data`.
  useEffect(() => forgetDrafts(), [])
  return (
    <Flex direction="column" gap="4">
      <Heading as="h1" size="6">
        You are logged out
      </Heading>
      <Text as="p">
        You are being taken back to <a href={location}>the sign-in page</a>.
      </Text>
    </Flex>
  )
}
