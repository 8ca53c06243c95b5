import { getFormProps, type SubmissionResult, useForm } from '@conform-to/react'
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { z } from 'zod'
import { refuse } from '#app/api/refuse.server.ts'
import { ScreenRules, SharedPool } from '#app/domain/pools/screen-rules.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { requireSuperAdmin } from '#app/routes/guards.server.ts'
import { intentOf } from '#app/routes/intent.server.ts'
import { readForm } from '#app/routes/read-form.server.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { constraintOf } from '#app/ui/constraint.ts'
import { FormActions, FormErrors, SelectInput, SubmitButton } from '#app/ui/form.tsx'
import { Page } from '#app/ui/page.tsx'
import { parseForm } from '#app/ui/parse-form.ts'
import { Form } from '#app/ui/place-form.tsx'
import { RULES_LABELS, RulesSections } from './rules-sections.tsx'

export const meta: MetaFunction = () => [{ title: 'Shared sign-in · Liftwell' }]

const SharedForm = ScreenRules.extend({ sign_up_tenant_id: z.uuid().optional() })

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requireSuperAdmin(args)
  return api.get('/pools/shared', SharedPool)
}

export async function action(args: ActionFunctionArgs) {
  const { api } = await requireSuperAdmin(args)
  const form = await args.request.formData()
  // Its one button has no name: a form that names one is another.
  intentOf(form, [])
  const submission = readForm(form, SharedForm)
  if (submission.status !== 'success') return refuse(submission)

  const { sign_up_tenant_id = null, ...rules } = submission.value
  try {
    await api.put('/pools/shared', { ...rules, sign_up_tenant_id }, SharedPool)
  } catch (error) {
    return refuse(submission, error)
  }
  return redirectWithToast('/tenants/shared-sign-in', { title: 'Shared sign-in saved' })
}

export default function EditSharedSignIn() {
  const { companies, sign_up_tenant_id, ...rules } = useLoaderData<typeof loader>()
  const [form, fields] = useForm<z.input<typeof SharedForm>, z.output<typeof SharedForm>>({
    id: 'shared-sign-in',
    defaultValue: { ...rules, sign_up_tenant_id: sign_up_tenant_id ?? undefined },
    lastResult: useActionData<typeof action>() as SubmissionResult<string[]> | undefined,
    constraint: constraintOf(SharedForm),
    defaultNoValidate: false,
    shouldValidate: 'onSubmit',
    shouldRevalidate: 'onInput',
    onValidate: ({ formData }) => parseForm(formData, SharedForm),
  })
  return (
    <Page
      title="Shared sign-in"
      lead="What Liftwell’s own provider asks of the people of every company without a sign-in of its own."
      action={
        <ButtonLink to="/tenants" variant="soft" color="gray">
          Tenants
        </ButtonLink>
      }
    >
      <Form method="post" {...getFormProps(form)}>
        <FormErrors form={form} labels={{ ...RULES_LABELS, sign_up_tenant_id: SIGN_UP }} />
        <RulesSections
          fields={fields as never}
          asked={rules.required_attributes}
          signUp={
            <SelectInput
              field={fields.sign_up_tenant_id}
              label={SIGN_UP}
              options={companies.map(({ id, name }) => ({ value: id, label: name }))}
              placeholder="Nobody may"
              help="Whoever makes an account becomes a user of this company, and reads its name before. Addresses of a company’s own domains are refused in any other."
            />
          }
        />
        <FormActions>
          <SubmitButton>Save</SubmitButton>
          <ButtonLink to="/tenants" variant="soft" color="gray">
            Cancel
          </ButtonLink>
        </FormActions>
      </Form>
    </Page>
  )
}

const SIGN_UP = 'Who makes an account by themselves, comes into'
