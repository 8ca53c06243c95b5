/** The screens for typing a code from an e-mail, a text or an authenticator app. */
import { Text } from '@radix-ui/themes'
import { CodeForm } from '#app/domain/authenticator/credentials.ts'
import type { CodeDelivery } from '#app/domain/authenticator/state.ts'
import { SubmitButton } from '#app/ui/form/form.tsx'
import { Refusal } from './authenticator-messages.tsx'
import {
  BackToSignIn,
  CodeInput,
  FormScreen,
  IntentButton,
  type ScreenProps,
  useScreenForm,
} from './authenticator-parts.tsx'
import { TotpSecret } from './totp-secret.tsx'

export function ConfirmSignUp({ state, lastResult }: ScreenProps) {
  const [form, fields] = useScreenForm('confirm-sign-up', CodeForm, lastResult)
  return (
    <FormScreen
      title={headingOf(state.delivery)}
      form={form}
      notice={state.notice}
      aside={
        <>
          <IntentButton intent="resend">Resend Code</IntentButton>
          <BackToSignIn />
        </>
      }
    >
      <CodeIsOnItsWay delivery={state.delivery} purpose="log in" />
      <CodeInput field={fields.confirmation_code} />
      <Refusal form={form} lastResult={lastResult} />
      <SubmitButton>Confirm</SubmitButton>
    </FormScreen>
  )
}

const headingOf = (delivery: CodeDelivery | null) => {
  if (delivery?.medium === 'EMAIL') return 'We Emailed You'
  return delivery?.medium === 'SMS' ? 'We Texted You' : 'We Sent A Code'
}

/** Where the code went, as far as the provider says. */
export function CodeIsOnItsWay({ delivery, purpose }: { delivery: CodeDelivery | null; purpose: string }) {
  const way = delivery?.medium === 'SMS' ? 'texted to' : 'emailed to'
  const code =
    delivery?.medium && delivery.destination
      ? `the code we ${way} ${delivery.destination}`
      : 'the code we sent you'
  return (
    <Text as="p">
      Your code is on the way. To {purpose}, enter {code}. It may take a minute to arrive.
    </Text>
  )
}

export function ConfirmSignIn({ state, is_ours, lastResult }: ScreenProps) {
  const [form, fields] = useScreenForm('confirm-sign-in', CodeForm, lastResult)
  const isSent = state.challenge === 'SMS_MFA'
  const byEmail = isSent && state.delivery?.medium === 'EMAIL'
  return (
    <FormScreen
      title={`Confirm ${isSent ? (byEmail ? 'Email' : 'SMS') : 'TOTP'} Code`}
      form={form}
      notice={state.notice}
      aside={
        <>
          {isSent && is_ours ? <IntentButton intent="resend">Resend Code</IntentButton> : null}
          <BackToSignIn />
        </>
      }
    >
      {isSent ? (
        <CodeIsOnItsWay delivery={state.delivery} purpose="log in" />
      ) : (
        <Text as="p">Enter the code that your authenticator app shows for {state.username}.</Text>
      )}
      <CodeInput field={fields.confirmation_code} label="Code" />
      <Refusal form={form} lastResult={lastResult} />
      <SubmitButton>Confirm</SubmitButton>
      {byEmail ? null : (
        <Text as="p">
          Lost your phone? Ask an administrator of your company to remove your second factor.
        </Text>
      )}
    </FormScreen>
  )
}

export function SetupTotp({ state, totp, lastResult }: ScreenProps) {
  const [form, fields] = useScreenForm('setup-totp', CodeForm, lastResult)
  return (
    <FormScreen title="Setup TOTP" form={form} notice={state.notice} aside={<BackToSignIn />}>
      <Text as="p">
        Copy and paste the secret key below into an authenticator app and then enter the code in the text
        field below.
      </Text>
      {totp ? <TotpSecret {...totp} /> : null}
      <CodeInput field={fields.confirmation_code} label="Code" />
      <Refusal form={form} lastResult={lastResult} />
      <SubmitButton>Confirm</SubmitButton>
    </FormScreen>
  )
}
