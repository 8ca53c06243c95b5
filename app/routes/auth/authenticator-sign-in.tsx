/** The entrances: sign in, sign up. */
import { Button, Flex, TabNav, Text } from '@radix-ui/themes'
import { Link } from '@remix-run/react'
import { Credentials } from '#app/domain/authenticator/credentials.ts'
import { signUpOf } from '#app/domain/authenticator/new-password.ts'
import { SubmitButton, TextInput } from '#app/ui/form.tsx'
import { useHydrated } from '#app/ui/hydrated.ts'
import { AttributeInputs, NewPasswordInputs } from './authenticator-fields.tsx'
import { FormScreen, Refusal, type ScreenProps, useScreenForm } from './authenticator-parts.tsx'

export function SignIn(props: ScreenProps) {
  const { state, lastResult } = props
  const [form, fields] = useScreenForm('sign-in', Credentials, lastResult, { username: state.username })
  return (
    <FormScreen
      title="Sign In"
      form={form}
      notice={state.notice}
      above={<Tabs {...props} current="signIn" />}
      aside={
        <>
          <Text size="2">
            <Link to="/login/forgotPassword">Forgot your password?</Link>
          </Text>
          <AnotherEmail />
        </>
      }
    >
      <Social {...props} />
      <TextInput field={fields.username} label="Email" type="email" autoComplete="username" />
      <TextInput field={fields.password} label="Password" type="password" autoComplete="current-password" />
      <Refusal form={form} lastResult={lastResult} />
      <SubmitButton>Sign In</SubmitButton>
    </FormScreen>
  )
}

export function SignUp(props: ScreenProps) {
  const { state, screens, password_policy, dial_codes, lastResult } = props
  const schema = signUpOf(password_policy, screens.required_attributes)
  const [form, fields] = useScreenForm('sign-up', schema, lastResult, { username: state.username })
  const hasErrors = Object.keys(form.allErrors).some((name) => name !== '')
  const hydrated = useHydrated()
  return (
    <FormScreen
      title="Create Account"
      form={form}
      notice={state.notice}
      above={<Tabs {...props} current="signUp" />}
      aside={<AnotherEmail />}
    >
      <Social {...props} />
      <TextInput field={fields.username} label="Email" type="email" autoComplete="username" />
      <NewPasswordInputs fields={fields} policy={password_policy} label="Password" />
      <AttributeInputs fields={fields} names={screens.required_attributes} dialCodes={dial_codes} />
      <Refusal form={form} lastResult={lastResult} />
      <SubmitButton disabled={hydrated && hasErrors}>Create Account</SubmitButton>
    </FormScreen>
  )
}

function AnotherEmail() {
  return (
    <Text size="2">
      <Link to="/login">Use another email</Link>
    </Text>
  )
}

/** Only where people may make accounts by themselves. */
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

/** Through the pool's own pages to a provider that it trusts. */
function Social({ screens, pool_id }: ScreenProps) {
  if (screens.social_providers.length === 0) return null
  return (
    <Flex direction="column" gap="2">
      {screens.social_providers.map((provider) => (
        <Button key={provider} asChild variant="surface" color="gray">
          <a href={`/auth/start/${pool_id}?identity_provider=${encodeURIComponent(provider)}`}>
            {`Sign In with ${provider}`}
          </a>
        </Button>
      ))}
      <Text align="center" size="2" color="gray">
        or
      </Text>
    </Flex>
  )
}
