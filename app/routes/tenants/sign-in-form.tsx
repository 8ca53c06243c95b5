/** The form of a tenant's sign-in. */
import { getFormProps, type SubmissionResult, useForm } from '@conform-to/react'
import type { ReactNode } from 'react'
import type { z } from 'zod'
import type { PoolReport, TenantPool } from '#app/domain/pools/pool.ts'
import { PoolForm, toPoolFields } from '#app/domain/pools/pool-form.ts'
import { SOCIAL_NAMES } from '#app/domain/pools/settings.ts'
import { DefaultButton } from '#app/ui/admins-input.tsx'
import { ChoiceInput } from '#app/ui/choice-input.tsx'
import { constraintOf } from '#app/ui/constraint.ts'
import { Facts } from '#app/ui/facts.tsx'
import {
  CheckboxInput,
  FormActions,
  FormErrors,
  FormSection,
  SelectInput,
  SubmitButton,
  TextInput,
} from '#app/ui/form.tsx'
import { parseForm } from '#app/ui/parse-form.ts'
import { Form } from '#app/ui/place-form.tsx'

/** What an action has refused, or found. */
export type PoolAnswer = SubmissionResult<string[]> & { report?: PoolReport }

const KINDS = [
  { value: 'embedded', label: 'Liftwell’s own provider' },
  { value: 'cognito', label: 'An Amazon Cognito user pool' },
  { value: 'oidc', label: 'Another OpenID provider' },
]
const MODES = [
  { value: 'redirect', label: 'On the provider’s own pages' },
  { value: 'screens', label: 'On our screens (Cognito only)' },
]
const RECOGNITION = [
  { value: 'verified', label: 'By the e-mail address the provider has verified' },
  { value: 'any', label: 'By any e-mail address it says: a provider of the company’s own' },
  { value: 'never', label: 'Not at all' },
]

const ENTRANCES = [
  { value: 'signIn', label: 'Sign in' },
  { value: 'signUp', label: 'Create account' },
  { value: 'forgotPassword', label: 'Forgot password' },
]

type Props = { pool: TenantPool; answer: PoolAnswer | null; children: ReactNode }

export function PoolFields({ pool, answer, children }: Props) {
  const { report: _, ...lastResult } = answer ?? {}
  const [form, fields] = useForm<z.input<typeof PoolForm>, PoolForm>({
    id: 'sign-in',
    defaultValue: toPoolFields(pool),
    lastResult: answer && (lastResult as SubmissionResult<string[]>),
    constraint: constraintOf(PoolForm),
    defaultNoValidate: false,
    shouldValidate: 'onSubmit',
    shouldRevalidate: 'onInput',
    onValidate: ({ formData }) => parseForm(formData, PoolForm),
  })
  return (
    <Form method="post" {...getFormProps(form)}>
      <DefaultButton />
      <FormErrors form={form} labels={LABELS} />
      <FormSection title="Provider" help="Its people are logged out when this changes, and sign in anew.">
        <SelectInput field={fields.kind} label="Who signs them in" options={KINDS} required />
        <SelectInput field={fields.login_mode} label="Where they type their password" options={MODES} />
        <TextInput
          field={fields.issuer}
          label={LABELS.issuer}
          type="url"
          spellCheck={false}
          help="As the provider writes it, to the letter: it stands in every token. For Cognito https://cognito-idp.REGION.amazonaws.com/POOL_ID."
        />
        <TextInput field={fields.client_id} label={LABELS.client_id} spellCheck={false} />
        <TextInput
          field={fields.client_secret}
          label={LABELS.client_secret}
          type="password"
          autoComplete="new-password"
          help={`${pool.has_client_secret ? 'One is stored; it stays when this is left empty.' : 'Left empty, the client is a public one.'} It is never shown again, not even after a test.`}
        />
        {pool.has_client_secret ? (
          <CheckboxInput field={fields.remove_secret} label="Remove the stored secret" />
        ) : null}
      </FormSection>
      <FormSection title="At the provider" help="Register these addresses with the client there.">
        <Facts facts={{ 'Redirect address': pool.redirect_uri, 'After logging out': pool.logout_uri }} />
      </FormSection>
      <FormSection title="Addresses" help="“Look up” fills in what the issuer says of itself.">
        <div>
          <SubmitButton intent="discover" variant="soft" formNoValidate>
            Look up
          </SubmitButton>
        </div>
        {ADDRESSES.map((name) => (
          <TextInput key={name} field={fields[name]} label={LABELS[name]} type="url" spellCheck={false} />
        ))}
      </FormSection>
      <FormSection title="People" help="What is asked for, and how people are known.">
        <SelectInput
          field={fields.recognise_by_email}
          label="How an invited person is recognised the first time"
          options={RECOGNITION}
        />
        <TextInput
          field={fields.scopes}
          label="Scopes"
          spellCheck={false}
          help="Left empty: openid email profile."
        />
        <TextInput
          field={fields.audience}
          label="Audience of its access tokens"
          spellCheck={false}
          help="Left empty: our API’s address."
        />
        <ChoiceInput
          field={fields.social_providers}
          label="Buttons for other accounts (Cognito only)"
          options={SOCIAL_NAMES}
          multiple
        />
        <CheckboxInput
          field={fields.allow_sign_up}
          label="Anybody may make an account there, and comes into this company (Cognito on our screens only)"
        />
        <SelectInput
          field={fields.initial_screen}
          label="First screen (on our screens)"
          options={ENTRANCES}
        />
      </FormSection>
      <FormActions>
        <SubmitButton>Save</SubmitButton>
        <SubmitButton intent="test" variant="soft" formNoValidate>
          Test
        </SubmitButton>
        {children}
      </FormActions>
    </Form>
  )
}

const ADDRESSES = [
  'authorization_endpoint',
  'token_endpoint',
  'jwks_uri',
  'revocation_endpoint',
  'end_session_endpoint',
  'domain',
  'api_endpoint',
] as const

const LABELS = {
  issuer: 'Issuer',
  client_id: 'Client ID',
  client_secret: 'Client secret',
  authorization_endpoint: 'Sign-in page (authorization endpoint)',
  token_endpoint: 'Token endpoint',
  jwks_uri: 'Keys (JWKS)',
  revocation_endpoint: 'Revocation endpoint',
  end_session_endpoint: 'Log-out page (end-session endpoint)',
  domain: 'Hosted pages of Cognito (domain)',
  api_endpoint: 'API of Cognito, where it is not the region’s own',
}
