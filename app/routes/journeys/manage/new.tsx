import { getFormProps } from '@conform-to/react'
import {
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { createJourney, listJourneyChoices } from '#app/api/contract/journeys.ts'
import { refuse } from '#app/api/refuse.server.ts'
import { may } from '#app/domain/access/permissions.ts'
import { NewJourneyForm } from '#app/domain/journeys/journey-form.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { readForm } from '#app/routes/read-form.server.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { SelectInput } from '#app/ui/form/choice-input.tsx'
import { FormActions, FormErrors, SubmitButton } from '#app/ui/form/form.tsx'
import { useSchemaForm } from '#app/ui/form/schema-form.ts'
import { Form } from '#app/ui/form/scoped-form.tsx'
import { TextInput } from '#app/ui/form/text-input.tsx'
import { Link } from '#app/ui/link.tsx'
import { Page } from '#app/ui/page.tsx'
import { useListAddress } from './address.ts'

export const meta: MetaFunction = () => [{ title: 'Create New LLJ · Liftwell' }]

export async function loader(args: LoaderFunctionArgs) {
  const { api, actor } = await requireDashboard(args)
  const { categories, may_create } = await api(listJourneyChoices)
  return { categories, mayCreate: may_create, maySetUp: may(actor, 'company:edit') }
}

export async function action(args: ActionFunctionArgs) {
  const { api } = await requireDashboard(args)
  const submission = readForm(await args.request.formData(), NewJourneyForm)
  if (submission.status !== 'success') return refuse(submission)
  try {
    const { id } = await api(createJourney, submission.value)
    return redirect(`/lljs/${id}/schedule`)
  } catch (error) {
    return refuse(submission, error)
  }
}

export default function CreateJourney() {
  const { categories, mayCreate, maySetUp } = useLoaderData<typeof loader>()
  return (
    <Page
      title="Create New LLJ"
      lead="An LLJ is a learning journey. Give it a name and a category; you add its lifts next."
      narrow
    >
      {mayCreate ? (
        <NewJourney categories={categories} maySetUp={maySetUp} />
      ) : (
        <p>You do not have permission to create journeys. Ask an administrator of your company.</p>
      )}
    </Page>
  )
}

function NewJourney({ categories, maySetUp }: { categories: readonly string[]; maySetUp: boolean }) {
  const { form, fields } = useSchemaForm(NewJourneyForm, { id: 'new-journey', defaultValue: {} })
  const { list } = useListAddress()
  return (
    <Form method="post" {...getFormProps(form)} className="stack">
      <FormErrors form={form} />
      <TextInput field={fields.name} label="Name" help="What learners will call it." />
      <SelectInput
        field={fields.category}
        label="Category"
        options={categories}
        help={categories.length === 0 ? <NoCategories maySetUp={maySetUp} /> : undefined}
      />
      <FormActions>
        <ButtonLink to={list} variant="soft" color="gray">
          Cancel
        </ButtonLink>
        <SubmitButton>Create journey</SubmitButton>
      </FormActions>
    </Form>
  )
}

const NoCategories = ({ maySetUp }: { maySetUp: boolean }) => (
  <>
    Your company has no categories yet.{' '}
    {maySetUp ? (
      <Link to="/settings/company">Add some in the settings</Link>
    ) : (
      'Administrators add them in the company settings.'
    )}
  </>
)
