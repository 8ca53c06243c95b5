import { getFormProps } from '@conform-to/react'
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { z } from 'zod'
import { getSharedPool, updateSharedPool } from '#app/api/contract/tenancy/pools.ts'
import { PoolVersion, ScreenRules, SharedPool } from '#app/domain/pools/screen-rules.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { requireSuperAdmin } from '#app/routes/guards.server.ts'
import { intentOf } from '#app/routes/intent.server.ts'
import { saveForm } from '#app/routes/save-form.server.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { SelectInput } from '#app/ui/form/choice-input.tsx'
import { FormActions, FormErrors, SubmitButton } from '#app/ui/form/form.tsx'
import { useSchemaForm } from '#app/ui/form/schema-form.ts'
import { Form } from '#app/ui/form/scoped-form.tsx'
import { SeenVersion, useOpenedAt } from '#app/ui/form/seen-version.tsx'
import { Page } from '#app/ui/page.tsx'
import { RULES_LABELS, RulesSections } from './rules-sections.tsx'
import { SharedSignInMeanwhile } from './sign-in-compared.tsx'

export const meta: MetaFunction = () => [{ title: 'Shared sign-in · Liftwell' }]

const SharedForm = ScreenRules.extend({
  sign_up_tenant_id: z.uuid().optional(),
  version: PoolVersion.optional(),
})

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requireSuperAdmin(args)
  return api(getSharedPool)
}

export async function action(args: ActionFunctionArgs) {
  const { api } = await requireSuperAdmin(args)
  const form = await args.request.formData()
  // Its only button has no intent: any intent is refused.
  intentOf(form, [])
  return saveForm(form, SharedForm, async ({ sign_up_tenant_id = null, ...rules }) => {
    await api(updateSharedPool, { ...rules, sign_up_tenant_id })
    return redirectWithToast('/tenants/shared-sign-in', { title: 'Shared sign-in saved' })
  })
}

export default function EditSharedSignIn() {
  const { companies, sign_up_tenant_id, ...rules } = useLoaderData<typeof loader>()
  const { form, fields, stored, typed } = useSchemaForm(SharedForm, {
    id: `shared-sign-in-${useOpenedAt(rules.version)}`,
    defaultValue: { ...rules, sign_up_tenant_id: sign_up_tenant_id ?? undefined },
  })
  const saved = SharedPool.safeParse(stored).data
  return (
    <Page
      title="Shared sign-in"
      lead="What Liftwell’s own provider asks of the people of every company without its own sign-in."
      action={
        <ButtonLink to="/tenants" variant="soft" color="gray">
          Tenants
        </ButtonLink>
      }
    >
      <Form method="post" {...getFormProps(form)}>
        <FormErrors form={form} labels={{ ...RULES_LABELS, sign_up_tenant_id: SIGN_UP }} />
        {saved ? <SharedSignInMeanwhile saved={saved} typed={typed} /> : null}
        <SeenVersion field={fields.version} saved={saved?.version} />
        <RulesSections
          fields={fields as never}
          asked={rules.required_attributes}
          signUp={
            <SelectInput
              field={fields.sign_up_tenant_id}
              label={SIGN_UP}
              options={companies.map(({ id, name }) => ({ value: id, label: name }))}
              placeholder="Nobody may"
              help="New accounts belong to this company, and people see its name before they sign up. Addresses in another company’s domains are refused."
            />
          }
        />
        <FormActions>
          <ButtonLink to="/tenants" variant="soft" color="gray">
            Cancel
          </ButtonLink>
          <SubmitButton>Save</SubmitButton>
        </FormActions>
      </Form>
    </Page>
  )
}

const SIGN_UP = 'New accounts belong to'
