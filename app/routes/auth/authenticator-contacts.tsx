/** The screens on which an account gets a verified contact. */
import { CodeForm, ContactChoice } from '#app/domain/authenticator/credentials.ts'
import { ChoiceInput } from '#app/ui/form/choice-input.tsx'
import { SubmitButton } from '#app/ui/form/form.tsx'
import { CodeIsOnItsWay } from './authenticator-codes.tsx'
import { Refusal } from './authenticator-messages.tsx'
import {
  CodeInput,
  FormScreen,
  IntentButton,
  type ScreenProps,
  useScreenForm,
} from './authenticator-parts.tsx'

const TITLE = 'Account recovery requires verified contact information'

const LABELS = { email: 'Email', phone_number: 'Phone Number' } as const

export function VerifyUser({ state, lastResult }: ScreenProps) {
  const options = (['email', 'phone_number'] as const).flatMap((value) => {
    const masked = state.unverified[value]
    return masked ? [{ value, label: `${LABELS[value]}: ${masked}` }] : []
  })
  const first = { unverifiedAttr: options[0]?.value }
  const [form, fields] = useScreenForm('verify-user', ContactChoice, lastResult, first)
  return (
    <FormScreen
      title={TITLE}
      form={form}
      notice={state.notice}
      aside={<IntentButton intent="skip">Skip</IntentButton>}
    >
      <ChoiceInput
        field={fields.unverifiedAttr}
        label="Verify Contact"
        options={options}
        required
        groupName="verify_context"
      />
      <Refusal form={form} lastResult={lastResult} />
      <SubmitButton>Verify</SubmitButton>
    </FormScreen>
  )
}

export function ConfirmVerifyUser({ state, lastResult }: ScreenProps) {
  const [form, fields] = useScreenForm('confirm-verify-user', CodeForm, lastResult)
  return (
    <FormScreen
      title={TITLE}
      form={form}
      notice={state.notice}
      aside={
        <>
          <IntentButton intent="resend">Resend Code</IntentButton>
          <IntentButton intent="skip">Skip</IntentButton>
        </>
      }
    >
      <CodeIsOnItsWay
        delivery={state.delivery}
        purpose={`verify your ${state.delivery?.medium === 'SMS' ? 'phone number' : 'email'}`}
      />
      <CodeInput field={fields.confirmation_code} label="Code" />
      <Refusal form={form} lastResult={lastResult} />
      <SubmitButton>Submit</SubmitButton>
    </FormScreen>
  )
}
