import { getFormProps } from '@conform-to/react'
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { duplicateJourney, getJourney, listJourneyChoices } from '#app/api/contract/journeys.ts'
import { refuse } from '#app/api/refuse.server.ts'
import { DuplicateForm, nameOfCopy } from '#app/domain/journeys/journey-form.ts'
import { isolated } from '#app/domain/text/isolated.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { noPermission, requireDashboard } from '#app/routes/guards.server.ts'
import { readForm } from '#app/routes/read-form.server.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { CheckboxInput } from '#app/ui/form/choice-input.tsx'
import { FormActions, FormErrors, SubmitButton } from '#app/ui/form/form.tsx'
import { useSchemaForm } from '#app/ui/form/schema-form.ts'
import { Form } from '#app/ui/form/scoped-form.tsx'
import { TextInput } from '#app/ui/form/text-input.tsx'
import { Page } from '#app/ui/page.tsx'
import { useListAddress } from './address.ts'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `Duplicate ${isolated(data?.journey.name ?? 'a journey')} · Liftwell` },
]

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requireDashboard(args)
  const [journey, choices] = await Promise.all([
    api(getJourney, { id: args.params.journeyId }),
    api(listJourneyChoices),
  ])
  if (!choices.may_create) throw noPermission()
  return { journey }
}

export async function action(args: ActionFunctionArgs) {
  const { api } = await requireDashboard(args)
  const submission = readForm(await args.request.formData(), DuplicateForm)
  if (submission.status !== 'success') return refuse(submission)
  try {
    const copy = await api(duplicateJourney, { id: args.params.journeyId }, submission.value)
    return redirectWithToast(`/lljs/${copy.id}/schedule`, { title: 'Duplicated', message: copy.name })
  } catch (error) {
    return refuse(submission, error)
  }
}

export default function DuplicateJourney() {
  const { journey } = useLoaderData<typeof loader>()
  const { list } = useListAddress()
  const { form, fields } = useSchemaForm(DuplicateForm, {
    id: 'duplicate',
    defaultValue: {
      name: nameOfCopy(journey.name),
      lifts: true,
      objectives: true,
      assessments: true,
    },
  })
  return (
    <Page
      title={`Duplicate ${isolated(journey.name)}`}
      lead="Participants and answers are not copied."
      narrow
    >
      <Form method="post" {...getFormProps(form)} className="stack">
        <FormErrors form={form} />
        <TextInput field={fields.name} label="Name of the new draft" maxLength={120} required />
        <CheckboxInput field={fields.lifts} label="With its lifts and questions" />
        <CheckboxInput field={fields.objectives} label="With its learning objectives" />
        <CheckboxInput field={fields.assessments} label="With its assessments" />
        <FormActions>
          <ButtonLink to={list} variant="soft" color="gray">
            Cancel
          </ButtonLink>
          <SubmitButton>Duplicate</SubmitButton>
        </FormActions>
      </Form>
    </Page>
  )
}
