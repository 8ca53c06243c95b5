import { getFormProps, type SubmissionResult, useForm } from '@conform-to/react'
import type { ReactNode } from 'react'
import type { z } from 'zod'
import { type PoolReport, TenantPool } from '#app/domain/pools/pool.ts'
import { PoolForm, toPoolFields } from '#app/domain/pools/pool-form.ts'
import { Facts } from '#app/ui/facts.tsx'
import { CheckboxInput, SelectInput } from '#app/ui/form/choice-input.tsx'
import { constraintOf } from '#app/ui/form/constraint.ts'
import { DefaultButton } from '#app/ui/form/default-button.tsx'
import type { FieldProps } from '#app/ui/form/field.tsx'
import { FormActions, FormErrors, FormSection, SubmitButton } from '#app/ui/form/form.tsx'
import { parseForm } from '#app/ui/form/parse-form.ts'
import { Form } from '#app/ui/form/scoped-form.tsx'
import { SeenVersion } from '#app/ui/form/seen-version.tsx'
import { TextArea } from '#app/ui/form/text-input.tsx'
import { useHydrated } from '#app/ui/hydrated.ts'
import { Link } from '#app/ui/link.tsx'
import { ClientInputs, PROVIDER_LABELS, ProviderSections } from './provider-sections.tsx'
import { RULES_LABELS, RulesSections } from './rules-sections.tsx'
import { SignInMeanwhile } from './sign-in-compared.tsx'
import { KINDS, MODES } from './sign-in-kinds.ts'

/** The answer of the action: errors, the version saved meanwhile, or a test report. */
export type PoolAnswer = SubmissionResult<string[]> & { report?: PoolReport; current?: unknown }

type Props = { pool: TenantPool; answer: PoolAnswer | null; children: ReactNode }

export function PoolFields({ pool, answer, children }: Props) {
  const { report: _, current, ...lastResult } = answer ?? {}
  const saved = TenantPool.safeParse(current).data
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
  const kind = fields.kind.value ?? pool.kind
  return (
    <Form method="post" {...getFormProps(form)}>
      <DefaultButton />
      <FormErrors form={form} labels={LABELS} />
      {saved ? <SignInMeanwhile saved={toPoolFields(saved)} typed={answer?.initialValue ?? {}} /> : null}
      <SeenVersion field={fields.version} saved={saved?.version} />
      <FormSection
        title="Provider"
        help="Its people are logged out when this changes, and must sign in again."
      >
        <SelectInput field={fields.kind} label="Who signs them in" options={KINDS} required />
        <ShowFields />
        {kind === 'cognito' ? (
          <SelectInput field={fields.login_mode} label="Where they type their password" options={MODES} />
        ) : null}
        {isElsewhere(kind) ? <ClientInputs fields={fields} pool={pool} kind={kind} /> : null}
      </FormSection>
      {isElsewhere(kind) ? <ProviderSections fields={fields} pool={pool} kind={kind} /> : null}
      <Domains field={fields.domains} />
      {kind === 'shared' ? <SharedRules /> : null}
      {kind === 'embedded' || (kind === 'cognito' && fields.login_mode.value === 'screens') ? (
        <RulesSections
          fields={fields as never}
          asked={pool.required_attributes}
          isCognito={kind === 'cognito'}
          signUp={
            <CheckboxInput
              field={fields.allow_sign_up}
              label="Anyone can create an account and join this company"
            />
          }
        />
      ) : null}
      {kind === 'embedded' ? <OwnAddress pool={pool} /> : null}
      <FormActions>
        {children}
        <SubmitButton>Save</SubmitButton>
        {isElsewhere(kind) ? (
          <SubmitButton intent="test" variant="soft" formNoValidate>
            Test
          </SubmitButton>
        ) : null}
      </FormActions>
    </Form>
  )
}

const isElsewhere = (kind: unknown): kind is 'cognito' | 'oidc' => kind === 'cognito' || kind === 'oidc'

/** Without scripts, this button shows the fields of the chosen kind. */
function ShowFields() {
  if (useHydrated()) return null
  return (
    <div>
      <SubmitButton intent="choose" variant="soft" formNoValidate>
        Show its fields
      </SubmitButton>
    </div>
  )
}

function Domains({ field }: Pick<FieldProps<unknown>, 'field'>) {
  return (
    <FormSection title="E-mail domains" help="E-mail domains that belong to this company alone.">
      <TextArea
        field={field}
        label={LABELS.domains}
        rows={3}
        help="One on each line, such as example.com. Everyone with such an address signs in here, whether they have an account or not, and nobody learns which. No other company can invite them. Subdomains count separately."
      />
    </FormSection>
  )
}

function SharedRules() {
  return (
    <FormSection title="Sign-in screens" help="What people see and enter.">
      <p>
        This company shares its sign-in screens and password rules with others:{' '}
        <Link to="/tenants/shared-sign-in">the rules of the shared sign-in</Link>. To set separate rules,
        choose Liftwell’s own provider for this company alone. Its people keep their passwords.
      </p>
    </FormSection>
  )
}

function OwnAddress({ pool }: { pool: TenantPool }) {
  if (pool.kind !== 'embedded' || pool.is_shared) return null
  return (
    <FormSection title="Sign-in address" help="For people whose e-mail domain is not listed.">
      <Facts facts={{ 'Sign-in of this company': pool.start_uri }} />
    </FormSection>
  )
}

const LABELS = {
  ...PROVIDER_LABELS,
  ...RULES_LABELS,
  kind: 'Who signs them in',
  domains: 'Domains of its addresses',
}
