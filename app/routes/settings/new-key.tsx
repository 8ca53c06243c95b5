import { getFormProps } from '@conform-to/react'
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { createApiKey } from '#app/api/contract/tenancy/api-keys.ts'
import { listSubTenantChoices } from '#app/api/contract/tenancy/sub-tenants.ts'
import { mayMakeApiKeys } from '#app/domain/access/api-keys.ts'
import { ApiKeyForm } from '#app/domain/api-keys/api-key.ts'
import { noPermission } from '#app/routes/guards.server.ts'
import { saveForm } from '#app/routes/save-form.server.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { CheckboxInput, SelectInput } from '#app/ui/form/choice-input.tsx'
import { FormActions, FormErrors, SubmitButton } from '#app/ui/form/form.tsx'
import { useSchemaForm } from '#app/ui/form/schema-form.ts'
import { Form } from '#app/ui/form/scoped-form.tsx'
import { TextInput } from '#app/ui/form/text-input.tsx'
import { Page } from '#app/ui/page.tsx'
import { requireKeysAdmin } from './keys-admin.server.ts'
import { NewKey } from './new-key-secret.tsx'

const HERE = '/settings/company/keys'

export const meta: MetaFunction = () => [{ title: 'Create API key · Liftwell' }]

export async function loader(args: LoaderFunctionArgs) {
  const { api, actor } = await requireMaker(args)
  const isTenantWide = actor.sub_tenant_id === null
  const { data: subTenants } = isTenantWide ? await api(listSubTenantChoices) : { data: [] }
  return { subTenants: subTenants.map(({ id, name }) => ({ value: id, label: name })) }
}

export async function action(args: ActionFunctionArgs) {
  const { api } = await requireMaker(args)
  // A repeated submit creates no second key.
  const request_id = args.context.found.get('form_key') as string | undefined
  return saveForm(await args.request.formData(), ApiKeyForm, async (described) => {
    const made = await api(createApiKey, { ...described, ...(request_id ? { request_id } : {}) })
    return data({ made }, { status: 201 })
  })
}

async function requireMaker(args: LoaderFunctionArgs) {
  const visitor = await requireKeysAdmin(args)
  if (mayMakeApiKeys(visitor.actor)) return visitor
  throw noPermission('Only administrators who belong to the company can create API keys.')
}

export default function CreateApiKey() {
  const { subTenants } = useLoaderData<typeof loader>()
  const answered = useActionData<typeof action>()
  if (answered && 'made' in answered) return <NewKey made={answered.made} listHref={HERE} />
  return (
    <Page narrow title="Create API key" lead="It works for as long as you are an administrator here.">
      <KeyForm subTenants={subTenants} />
    </Page>
  )
}

function KeyForm({ subTenants }: { subTenants: { value: string; label: string }[] }) {
  const { form, fields } = useSchemaForm(ApiKeyForm, {
    id: 'api-key',
    defaultValue: { role: 'author', expires_in_days: '90' },
  })
  return (
    <Form method="post" {...getFormProps(form)}>
      <FormErrors
        form={form}
        title="The key was not created"
        labels={{ role: 'Can act as', sub_tenant_id: 'Sub-tenant' }}
      />
      <div className="form-section-fields">
        <TextInput
          field={fields.name}
          label="Name"
          help="What uses it. The audit log names it with all that the key does."
          required
        />
        <SelectInput
          field={fields.role}
          label="Can act as"
          help="An author’s key sees your own journeys. No key changes administrators, company settings or how people sign in."
          options={ROLES}
          required
        />
        <CheckboxInput field={fields.is_read_only} label="Read-only" help="It changes and sends nothing." />
        {subTenants.length > 0 ? (
          <SelectInput
            field={fields.sub_tenant_id}
            label="Sub-tenant"
            placeholder="The whole company"
            options={subTenants}
          />
        ) : null}
        <TextInput
          field={fields.expires_in_days}
          label="Expires in days"
          help="From 1 to 365."
          type="number"
          inputMode="numeric"
          required
        />
      </div>
      <FormActions>
        <ButtonLink to={HERE} variant="soft" color="gray">
          Cancel
        </ButtonLink>
        <SubmitButton>Create API key</SubmitButton>
      </FormActions>
    </Form>
  )
}

const ROLES = [
  { value: 'admin', label: 'Administrator' },
  { value: 'author', label: 'Author' },
]
