/** The screens for choosing a password: the first one, or a new one for a forgotten one. */
import { Text } from '@radix-ui/themes'
import { ForgottenPassword } from '#app/domain/authenticator/credentials.ts'
import { newPasswordOf, resetOf } from '#app/domain/authenticator/new-password.ts'
import { SubmitButton } from '#app/ui/form/form.tsx'
import { Link } from '#app/ui/link.tsx'
import { CodeIsOnItsWay } from './authenticator-codes.tsx'
import { AttributeInputs, NewPasswordInputs, UsernameInput } from './authenticator-fields.tsx'
import { PendingCode, Refusal } from './authenticator-messages.tsx'
import {
  BackToSignIn,
  CodeInput,
  FormScreen,
  HiddenUsername,
  IntentButton,
  type ScreenProps,
  useLeft,
  useScreenForm,
} from './authenticator-parts.tsx'

export function ForceNewPassword({ state, password_policy, dial_codes, lastResult }: ScreenProps) {
  const { username, missing_attributes, notice, is_invited } = state
  const left = useLeft()
  const schema = newPasswordOf(password_policy, missing_attributes, left)
  const [form, fields] = useScreenForm('new-password', schema, lastResult, {}, left)
  return (
    <FormScreen
      title={is_invited ? 'Choose your password' : 'Change Password'}
      form={form}
      notice={notice}
      aside={<BackToSignIn />}
    >
      <Text as="p">
        {is_invited
          ? `Choose a password for ${username}. You will use it to sign in.`
          : `Choose a new password for ${username}. You no longer need the temporary one.`}
      </Text>
      <HiddenUsername username={username} />
      <NewPasswordInputs fields={fields} policy={password_policy} />
      <AttributeInputs fields={fields} names={missing_attributes} dialCodes={dial_codes} />
      <Refusal form={form} lastResult={lastResult} />
      <SubmitButton>{is_invited ? 'Choose Password' : 'Change Password'}</SubmitButton>
    </FormScreen>
  )
}

export function ForgotPassword({ state, asks_all, target, lastResult }: ScreenProps) {
  const { username, notice } = state
  const isAsked = username !== '' && !asks_all
  const [form, fields] = useScreenForm('forgot-password', ForgottenPassword, lastResult, { username })
  return (
    <FormScreen
      title="Reset your password"
      form={form}
      notice={notice}
      aside={
        <>
          {isAsked ? <AnotherEmail target={target} /> : null}
          <BackToSignIn />
        </>
      }
    >
      <PendingCode {...state} />
      <Text as="p">
        {username
          ? `We send a code to ${isAsked ? username : 'this email'}`
          : 'Enter your email, and we send you a code'}{' '}
        to choose a new password with.
      </Text>
      {isAsked ? (
        <input type="hidden" name="username" value={username} />
      ) : (
        <UsernameInput field={fields.username} />
      )}
      <Refusal form={form} lastResult={lastResult} />
      <SubmitButton>Send Code</SubmitButton>
    </FormScreen>
  )
}

function AnotherEmail({ target }: Pick<ScreenProps, 'target'>) {
  const search = new URLSearchParams({ forgotPassword: 'true', ...(target !== '/' && { redirect: target }) })
  return (
    <Text size="2">
      <Link to={`/login?${search}`}>Use another email</Link>
    </Text>
  )
}

export function ConfirmResetPassword({ state, is_ours, password_policy, lastResult }: ScreenProps) {
  const left = useLeft()
  const [form, fields] = useScreenForm('reset-password', resetOf(password_policy, left), lastResult, {}, left)
  return (
    <FormScreen
      title="Reset your password"
      form={form}
      notice={state.notice}
      aside={
        <>
          <IntentButton intent="resend">Resend Code</IntentButton>
          <BackToSignIn />
        </>
      }
    >
      <CodeIsOnItsWay delivery={state.delivery} purpose="choose a new password" />
      <HiddenUsername username={state.username} />
      {is_ours ? (
        <Text as="p" size="2" color="gray">
          If you have never chosen a password, the email is a new invitation instead: follow that one.
        </Text>
      ) : null}
      <CodeInput field={fields.confirmation_code} label="Code" />
      <NewPasswordInputs fields={fields} policy={password_policy} />
      <Refusal form={form} lastResult={lastResult} />
      <SubmitButton>Submit</SubmitButton>
    </FormScreen>
  )
}
