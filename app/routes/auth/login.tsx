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
import { useActionData, useLoaderData, useSearchParams } from '@remix-run/react'
import { z } from 'zod'
import { refuse } from '#app/api/refuse.server.ts'
import {
  clearCookie,
  EMAIL_COOKIE,
  POOL_COOKIE,
  readCookie,
  readCookies,
  rememberCookies,
  withCookies,
  writeHint,
} from '#app/auth/cookies.server.ts'
import { keeper } from '#app/auth/keeper.server.ts'
import { readLoginNotice } from '#app/auth/login-notice.server.ts'
import { PoolConfigurationError } from '#app/auth/principal.ts'
import { redirectTarget } from '#app/auth/redirect-target.ts'
import { EmailUsername } from '#app/domain/authenticator/credentials.ts'
import { intentOf } from '#app/routes/intent.server.ts'
import { readForm } from '#app/routes/read-form.server.ts'
import { CheckboxInput } from '#app/ui/form/choice-input.tsx'
import { SubmitButton } from '#app/ui/form/form.tsx'
import { parseForm } from '#app/ui/form/parse-form.ts'
import { Form } from '#app/ui/form/scoped-form.tsx'
import { useStillClicks } from '#app/ui/form/still-clicks.ts'
import { TextInput } from '#app/ui/form/text-input.tsx'
import { errorTitle, useErrorTitle } from '#app/ui/frame/error-title.ts'
import { requireStranger } from '../guards.server.ts'
import { ConfigurationError } from './configuration-error.tsx'
import { OtherWays } from './other-ways.tsx'
import { SignedOut } from './signed-out.tsx'
import { wholeSignIn } from './whole-sign-in.server.ts'

/** The address that decides which pool handles the sign-in. */
const Visitor = z.object({
  email: EmailUsername,
  remember: z.boolean().default(false),
})

/** A forgotten password is told of with or without an address. */
const Unfinished = z.object({})

const isForgotten = (search: URLSearchParams): boolean =>
  (search.get('forgotPassword') ?? 'false') !== 'false'

const headingOf = (search: URLSearchParams) => (isForgotten(search) ? 'Reset your password' : 'Sign In')

export const meta: MetaFunction<typeof loader> = ({ data, location }) => {
  const title = `${headingOf(new URLSearchParams(location.search))} · Liftwell`
  const content = 'Sign in to Liftwell, where learning journeys reach you in short lifts.'
  return [{ title: data?.refused ? errorTitle(title) : title }, { name: 'description', content }]
}

export async function loader(args: LoaderFunctionArgs) {
  const { cookies, ended } = await requireStranger(args)
  const notice = readLoginNotice(args.request)
  const whole = ended || notice.cookies.length > 0 ? null : await wholeSignIn(args.request)
  if (whole) throw whole
  const { searchParams } = new URL(args.request.url)
  // The pool is looked up again.
  const stored = readCookies(args.request).some(([name]) => name === POOL_COOKIE)
  const remembered = readCookie(args.request, EMAIL_COOKIE)
  const email = addressIn(searchParams.get('forgotPassword')) ?? remembered
  const { misconfigured } = notice
  return data(
    {
      email: email ?? '',
      remember: remembered !== null,
      offers_sign_up: await keeper().offersSignUp(),
      refused: args.context.found.get('refused') === true,
      expired: searchParams.has('expired'),
      ended: ended ?? notice.ended,
      misconfigured,
    },
    {
      status: misconfigured ? 503 : 200,
      headers: withCookies([...cookies, ...notice.cookies, ...(stored ? [clearCookie(POOL_COOKIE)] : [])]),
    },
  )
}

/** A link can contain the address of somebody who forgot their password. */
const addressIn = (text: string | null): string | null => Visitor.shape.email.safeParse(text).data ?? null

type Misconfigured = { misconfigured: string; reply: SubmissionResult<string[]> }

export async function action(args: ActionFunctionArgs) {
  await requireStranger(args)
  const { searchParams } = new URL(args.request.url)
  const sent = await args.request.formData()
  if (intentOf(sent, ['forgot'])) {
    searchParams.set('forgotPassword', 'true')
    if (sent.get('email') === '') return redirectDocument(`/login?${searchParams}`)
  }
  const submission = readForm(sent, Visitor)
  if (submission.status !== 'success') {
    args.context.found.set('refused', true)
    return refuse(submission)
  }

  const { email, remember } = submission.value
  const pool = await keeper()
    .poolOfEmail(email)
    .catch((error: unknown) => {
      // Another server does not answer, or refuses for the moment.
      if (error instanceof Response) return error
      if (!(error instanceof PoolConfigurationError)) throw error
      args.context.found.set('problem', error.message)
      return null
    })
  if (pool instanceof Response) {
    args.context.found.set('refused', true)
    return refuse(submission, pool)
  }
  if (!pool) {
    const reply = submission.reply({ formErrors: [] })
    return data<Misconfigured>({ misconfigured: args.context.request_id, reply }, { status: 503 })
  }

  const wish = new URLSearchParams({ redirect: redirectTarget(searchParams.get('redirect')) })
  if (remember) wish.set('remember', 'true')
  if (searchParams.has('fresh')) wish.set('fresh', 'true')
  if (isForgotten(searchParams)) wish.set('forgotPassword', 'true')
  const cookies = [writeHint(email), ...rememberCookies(remember ? { email, pool: pool.id } : null)]
  return redirectDocument(`/auth/start/${pool.id}?${wish}`, { headers: withCookies(cookies) })
}

export default function Login() {
  const [search] = useSearchParams()
  const forgot = isForgotten(search)
  const { email, remember, offers_sign_up, expired, ended, ...loaded } = useLoaderData<typeof loader>()
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
    onValidate: ({ formData }) => parseForm(formData, formData.has('intent') ? Unfinished : Visitor) as never,
  })
  useErrorTitle(form.status === 'error')
  return (
    <Form method="post" reloadDocument {...getFormProps(form)}>
      <Flex direction="column" gap="4">
        <Heading as="h1" size="6">
          {headingOf(search)}
        </Heading>
        {misconfigured ? <ConfigurationError request_id={misconfigured} /> : null}
        {form.errors ? (
          <Callout.Root color="red" role="alert">
            <Text as="p" size="2">
              {form.errors.join(' ')}
            </Text>
          </Callout.Root>
        ) : null}
        {answer ? null : <SignedOut expired={expired} ended={ended} />}
        {forgot ? (
          <Text as="p">Enter your email, and we send you a code to choose a new password with.</Text>
        ) : null}
        <TextInput
          field={fields.email}
          label="Email"
          type="email"
          placeholder="Enter your Email"
          autoComplete="username"
        />
        <CheckboxInput field={fields.remember} label="Remember me" />
        <SubmitButton>Continue</SubmitButton>
        <OtherWays {...{ forgot, offers_sign_up }} redirect={search.get('redirect')} />
      </Flex>
    </Form>
  )
}
