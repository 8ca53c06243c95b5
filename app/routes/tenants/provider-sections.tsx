/** The settings of an external provider: a Cognito user pool, or any other OpenID Connect provider. */
import type { FieldMetadata } from '@conform-to/react'
import type { TenantPool } from '#app/domain/pools/pool.ts'
import type { PoolForm } from '#app/domain/pools/pool-form.ts'
import { SOCIAL_NAMES } from '#app/domain/pools/settings.ts'
import { Facts } from '#app/ui/facts.tsx'
import { CheckboxInput, ChoiceInput, SelectInput } from '#app/ui/form/choice-input.tsx'
import { FormSection, SubmitButton } from '#app/ui/form/form.tsx'
import { TextInput } from '#app/ui/form/text-input.tsx'

const AUTH_METHODS = [
  { value: 'client_secret_basic', label: 'In a header (client_secret_basic)' },
  { value: 'client_secret_post', label: 'In the body (client_secret_post)' },
]
export const RECOGNITION = [
  { value: 'verified', label: 'By the e-mail address the provider has verified' },
  { value: 'any', label: 'By any e-mail address it sends: for the company’s own provider only' },
  { value: 'never', label: 'Not at all' },
]

type Fields = { [Name in keyof PoolForm]-?: FieldMetadata<PoolForm[Name]> }
type Props = { fields: unknown; pool: TenantPool; kind: 'cognito' | 'oidc' }

export function ClientInputs({ fields: all, pool, kind }: Props) {
  const fields = all as Fields
  return (
    <>
      <TextInput
        field={fields.issuer}
        label={PROVIDER_LABELS.issuer}
        type="url"
        spellCheck={false}
        help={
          kind === 'cognito'
            ? 'https://cognito-idp.REGION.amazonaws.com/POOL_ID'
            : 'Exactly as the provider writes it: every token names it.'
        }
        required
      />
      <TextInput field={fields.client_id} label={PROVIDER_LABELS.client_id} spellCheck={false} required />
      <TextInput
        field={fields.client_secret}
        label={PROVIDER_LABELS.client_secret}
        type="password"
        autoComplete="new-password"
        help={`${pool.has_client_secret ? 'One is stored. Leave blank to keep it.' : 'Leave blank for a public client.'} It is never shown again, not even after a test.`}
      />
      {pool.has_client_secret ? (
        <CheckboxInput field={fields.remove_secret} label="Remove the stored secret" />
      ) : null}
      {kind === 'oidc' ? (
        <SelectInput
          field={fields.token_auth_method}
          label="How the client secret is sent"
          options={AUTH_METHODS}
          placeholder="As the provider says"
        />
      ) : null}
    </>
  )
}

export function ProviderSections({ fields: all, pool, kind }: Props) {
  const fields = all as Fields
  return (
    <>
      <FormSection title="At the provider" help="Register these addresses with the client there.">
        <Facts facts={{ 'Redirect address': pool.redirect_uri, 'After logging out': pool.logout_uri }} />
      </FormSection>
      <FormSection title="Addresses" help="“Look up” fills in what the issuer publishes about itself.">
        <div>
          <SubmitButton intent="discover" variant="soft" formNoValidate>
            Look up
          </SubmitButton>
        </div>
        {ADDRESSES[kind].map((name) => (
          <TextInput
            key={name}
            field={fields[name]}
            label={PROVIDER_LABELS[name]}
            type="url"
            spellCheck={false}
          />
        ))}
      </FormSection>
      <People fields={fields} kind={kind} />
    </>
  )
}

function People({ fields, kind }: { fields: Fields; kind: Props['kind'] }) {
  const onOurScreens = kind === 'cognito' && fields.login_mode.value === 'screens'
  return (
    <FormSection title="People" help="What is requested, and how people are recognized.">
      <SelectInput
        field={fields.recognise_by_email}
        label="How an invited person is recognized the first time"
        options={RECOGNITION}
      />
      <TextInput
        field={fields.scopes}
        label="Scopes"
        spellCheck={false}
        help="Leave blank for openid email profile."
      />
      {kind === 'oidc' ? (
        <TextInput
          field={fields.audience}
          label="Audience of its access tokens"
          spellCheck={false}
          help="Leave blank for our API’s address."
        />
      ) : null}
      {onOurScreens ? (
        <ChoiceInput
          field={fields.social_providers}
          label="Buttons for other accounts"
          options={SOCIAL_NAMES}
          multiple
        />
      ) : null}
      {kind === 'cognito' && !onOurScreens ? (
        <CheckboxInput
          field={fields.allow_sign_up}
          label="Anyone can create an account there and join this company"
        />
      ) : null}
    </FormSection>
  )
}

const BOTH = [
  'authorization_endpoint',
  'token_endpoint',
  'jwks_uri',
  'revocation_endpoint',
  'end_session_endpoint',
] as const
const ADDRESSES = { oidc: BOTH, cognito: [...BOTH, 'domain', 'api_endpoint'] } as const

export const PROVIDER_LABELS = {
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
