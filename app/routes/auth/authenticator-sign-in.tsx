/** The entrances: sign in, sign up. */
import type { FormMetadata } from '@conform-to/react'
import { Flex, TabNav, Text } from '@radix-ui/themes'
import { useNavigation } from '@remix-run/react'
import { labelOf } from '#app/domain/authenticator/attributes.ts'
import { Credentials } from '#app/domain/authenticator/credentials.ts'
import { signUpOf } from '#app/domain/authenticator/new-password.ts'
import { CheckboxInput } from '#app/ui/form/choice-input.tsx'
import { ErrorSummary } from '#app/ui/form/error-summary.tsx'
import { SubmitButton } from '#app/ui/form/form.tsx'
import { TextInput } from '#app/ui/form/text-input.tsx'
import { useHydrated } from '#app/ui/hydrated.ts'
import { Link } from '#app/ui/link.tsx'
import { AttributeInputs, isMismatch, NewPasswordInputs, UsernameInput } from './authenticator-fields.tsx'
import { PendingCode, Refusal } from './authenticator-messages.tsx'
import { FormScreen, type ScreenProps, useLeft, useScreenForm } from './authenticator-parts.tsx'

export function SignIn(props: ScreenProps) {
  const { state, lastResult } = props
  const [form, fields] = useScreenForm('sign-in', Credentials, lastResult, { username: state.username })
  return (
    <FormScreen
      title="Sign In"
      form={form}
      notice={state.notice}
      company={props.company}
      above={<Tabs {...props} current="signIn" />}
      aside={
        <>
          <Text size="2">
            <Link to="/login/forgotPassword">Forgot your password?</Link>
          </Text>
          <AnotherEmail {...props} />
        </>
      }
    >
      <PendingCode {...state} />
      <Social {...props} words="Sign In with" />
      <UsernameInput field={fields.username} />
      <TextInput
        field={fields.password}
        label="Password"
        type="password"
        placeholder="Enter your Password"
        autoComplete="current-password"
      />
      {props.asks_all ? <CheckboxInput field={fields.remember} label="Remember me" /> : null}
      <Refusal form={form} lastResult={lastResult} />
      <SubmitButton busy="Signing in">Sign In</SubmitButton>
    </FormScreen>
  )
}

export function SignUp(props: ScreenProps) {
  const { state, screens, password_policy, dial_codes, lastResult } = props
  const left = useLeft()
  const schema = signUpOf(password_policy, screens.required_attributes, left)
  const [form, fields] = useScreenForm('sign-up', schema, lastResult, { username: state.username }, left)
  const hasErrors = isMismatch(fields) || Object.keys(form.allErrors).some((name) => name !== '')
  const { state: sending } = useNavigation()
  const isHeld = useHydrated() && (hasErrors || sending !== 'idle')
  return (
    <FormScreen
      title="Create Account"
      form={form}
      notice={state.notice}
      company={props.company}
      above={<Tabs {...props} current="signUp" />}
      aside={<AnotherEmail {...props} />}
    >
      <PendingCode {...state} />
      {screens.joins ? <Text as="p">{`Your account will belong to ${screens.joins}.`}</Text> : null}
      <Social {...props} words="Sign Up with" />
      <SignUpErrors form={form} />
      <UsernameInput field={fields.username} />
      <NewPasswordInputs fields={fields} policy={password_policy} label="Password" />
      <AttributeInputs fields={fields} names={screens.required_attributes} dialCodes={dial_codes} />
      <Refusal form={form} lastResult={lastResult} />
      <SubmitButton disabled={isHeld} busy="Creating Account">
        Create Account
      </SubmitButton>
    </FormScreen>
  )
}

/** A long form lists its errors at the top, each with a link to its field. */
function SignUpErrors<Schema extends Record<string, unknown>>({ form }: { form: FormMetadata<Schema> }) {
  const problems = Object.entries(form.allErrors).filter(([name]) => name !== '')
  if (form.status !== 'error' || problems.length === 0) return null
  return (
    <ErrorSummary
      id={`${form.id}-summary`}
      problems={problems.map(([name, errors]) => ({
        fieldId: `${form.id}-${name}`,
        label: SIGN_UP_LABELS[name] ?? labelOf(name),
        errors: errors ?? [],
      }))}
    />
  )
}

const SIGN_UP_LABELS: Record<string, string> = {
  username: 'Email',
  password: 'Password',
  confirm_password: 'Confirm Password',
  country_code: 'Country code',
}

/** The page that asks for the address first, to find the provider that has the password. */
function AnotherEmail({ asks_all, target }: ScreenProps) {
  const search = new URLSearchParams({ first: 'email', ...(target !== '/' && { redirect: target }) })
  return (
    <Text size="2">
      <Link to={`/login?${search}`}>
        {asks_all ? 'Sign in with your company’s account' : 'Use another email'}
      </Link>
    </Text>
  )
}

/** Only if people can sign up by themselves. */
function Tabs({ screens, current }: ScreenProps & { current: 'signIn' | 'signUp' }) {
  if (!screens.sign_up) return null
  return (
    <TabNav.Root aria-label="Sign in or create an account" justify="center">
      <TabNav.Link asChild active={current === 'signIn'}>
        <Link to="/login/signIn">Sign In</Link>
      </TabNav.Link>
      <TabNav.Link asChild active={current === 'signUp'}>
        <Link to="/login/signUp">Create Account</Link>
      </TabNav.Link>
    </TabNav.Root>
  )
}

/** Social sign-in, through the pool's own pages. */
function Social({ screens, pool_id, words }: ScreenProps & { words: string }) {
  if (screens.social_providers.length === 0) return null
  return (
    <Flex direction="column" gap="2">
      {screens.social_providers.map((provider) => (
        <a
          key={provider}
          className="rt-reset rt-BaseButton rt-Button rt-r-size-2 rt-variant-surface"
          data-accent-color="gray"
          href={`/auth/start/${pool_id}?identity_provider=${encodeURIComponent(provider)}`}
        >
          {`${words} ${provider}`}
        </a>
      ))}
      <Text align="center" size="2" color="gray">
        or
      </Text>
    </Flex>
  )
}
