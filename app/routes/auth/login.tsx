import { getFormProps, type SubmissionResult, useForm } from '@conform-to/react'
import { getZodConstraint } from '@conform-to/zod/v4'
import { Callout, Flex, Heading, Text } from '@radix-ui/themes'
import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirectDocument,
} from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { z } from 'zod'
import { refuse } from '#app/api/refuse.server.ts'
import {
  clearCookie,
  EMAIL_COOKIE,
  HINT_COOKIE,
  POOL_COOKIE,
  readCookie,
  readCookies,
  WEEK,
  withCookies,
  writeCookie,
} from '#app/auth/cookies.server.ts'
import { PoolConfigurationError } from '#app/auth/principal.ts'
import { redirectTarget } from '#app/auth/redirect-target.ts'
import { poolOfEmail } from '#app/auth/sign-in.server.ts'
import { readForm } from '#app/routes/read-form.server.ts'
import { CheckboxInput, SubmitButton, TextInput } from '#app/ui/form.tsx'
import { parseForm } from '#app/ui/parse-form.ts'
import { Form } from '#app/ui/place-form.tsx'
import { useStillClicks } from '#app/ui/still-clicks.ts'
import { requireStranger } from '../guards.server.ts'
import { ConfigurationError } from './configuration-error.tsx'

/** Who wants to sign in; where, is for the pool to say. */
const Visitor = z.object({
  email: z
    .string({ error: 'This field is required' })
    .trim()
    .toLowerCase()
    .max(254, 'Please enter a valid email')
    .pipe(z.email('Please enter a valid email')),
  remember: z.boolean().default(false),
})

const HINT_SECONDS = 10 * 60

export const meta: MetaFunction = () => [{ title: 'Sign In · Liftwell' }]

export async function loader(args: LoaderFunctionArgs) {
  const { cookies } = await requireStranger(args)
  const { searchParams } = new URL(args.request.url)
  // Which pool it is, is found out anew.
  const stored = readCookies(args.request).some(([name]) => name === POOL_COOKIE)
  const remembered = readCookie(args.request, EMAIL_COOKIE)
  const email = addressIn(searchParams.get('forgotPassword')) ?? remembered
  const misconfigured = searchParams.has('misconfigured') ? args.context.request_id : null
  return data(
    {
      email: email ?? '',
      remember: remembered !== null,
      expired: searchParams.has('expired'),
      misconfigured,
    },
    {
      status: misconfigured ? 503 : 200,
      headers: withCookies([...cookies, ...(stored ? [clearCookie(POOL_COOKIE)] : [])]),
    },
  )
}

/** A link may say whose password was forgotten. */
const addressIn = (text: string | null): string | null => Visitor.shape.email.safeParse(text).data ?? null

type Misconfigured = { misconfigured: string; reply: SubmissionResult<string[]> }

export async function action(args: ActionFunctionArgs) {
  await requireStranger(args)
  const submission = readForm(await args.request.formData(), Visitor)
  if (submission.status !== 'success') return refuse(submission)

  const { email, remember } = submission.value
  const pool = await poolOfEmail(email).catch((error: unknown) => {
    if (!(error instanceof PoolConfigurationError)) throw error
    args.context.found.set('problem', error.message)
    return null
  })
  if (!pool) {
    const reply = submission.reply({ formErrors: [] })
    return data<Misconfigured>({ misconfigured: args.context.request_id, reply }, { status: 503 })
  }

  const { searchParams } = new URL(args.request.url)
  const wish = new URLSearchParams({ redirect: redirectTarget(searchParams.get('redirect')) })
  if (remember) wish.set('remember', 'true')
  if (searchParams.has('fresh')) wish.set('fresh', 'true')
  if (searchParams.has('forgotPassword')) wish.set('forgotPassword', 'true')
  const week = { maxAge: WEEK, sameSite: 'Strict' } as const
  const cookies = [
    writeCookie(HINT_COOKIE, email, { maxAge: HINT_SECONDS }),
    remember ? writeCookie(POOL_COOKIE, pool.id, week) : clearCookie(POOL_COOKIE),
    remember ? writeCookie(EMAIL_COOKIE, email, week) : clearCookie(EMAIL_COOKIE),
  ]
  return redirectDocument(`/auth/start/${pool.id}?${wish}`, { headers: withCookies(cookies) })
}

export default function Login() {
  const { email, remember, expired, ...loaded } = useLoaderData<typeof loader>()
  const answer = useActionData<typeof action>() ?? null
  const isBroken = answer !== null && 'misconfigured' in answer
  const lastResult = (isBroken ? answer.reply : answer) as SubmissionResult<string[]> | null
  const misconfigured = isBroken ? answer.misconfigured : loaded.misconfigured
  useStillClicks()
  const [form, fields] = useForm({
    id: 'login',
    defaultValue: { email, remember },
    lastResult,
    constraint: getZodConstraint(Visitor),
    defaultNoValidate: false,
    shouldValidate: 'onBlur',
    shouldRevalidate: 'onInput',
    onValidate: ({ formData }) => parseForm(formData, Visitor),
  })
  return (
    <Form method="post" reloadDocument {...getFormProps(form)}>
      <Flex direction="column" gap="4">
        <Heading as="h1" size="6">
          Sign In
        </Heading>
        {misconfigured ? <ConfigurationError request_id={misconfigured} /> : null}
        {expired && !answer ? <Expired /> : null}
        <TextInput field={fields.email} label="Email" type="email" autoComplete="username" />
        <CheckboxInput field={fields.remember} label="Remember me" />
        <SubmitButton>Continue</SubmitButton>
      </Flex>
    </Form>
  )
}

function Expired() {
  return (
    <Callout.Root color="amber" role="status">
      <Text as="p" size="2">
        Your sign-in expired, try again
      </Text>
    </Callout.Root>
  )
}
