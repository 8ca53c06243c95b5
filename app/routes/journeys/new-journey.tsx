/** The dialog that begins a journey: a name and a category; the rest has its default. */
import { getFormProps, type SubmissionResult, useForm } from '@conform-to/react'
import { NewJourneyForm } from '#app/domain/journeys/journey-form.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { constraintOf } from '#app/ui/constraint.ts'
import { Modal } from '#app/ui/dialog.tsx'
import { FormErrors, SelectInput, SubmitButton, TextInput } from '#app/ui/form.tsx'
import { parseForm } from '#app/ui/parse-form.ts'
import { Form } from '#app/ui/place-form.tsx'

type NewJourneyProps = {
  categories: readonly string[]
  closeHref: string
  lastResult: SubmissionResult<string[]> | null
}

export function NewJourney({ categories, closeHref, lastResult }: NewJourneyProps) {
  const [form, fields] = useForm({
    id: 'new-journey',
    lastResult,
    constraint: constraintOf(NewJourneyForm),
    defaultNoValidate: false,
    onValidate: ({ formData }) => parseForm(formData, NewJourneyForm),
    shouldRevalidate: 'onInput',
  })
  return (
    <Modal title="Create new LLJ" closeHref={closeHref}>
      <Form method="post" {...getFormProps(form)} className="stack">
        <FormErrors form={form} />
        <TextInput field={fields.name} label="Name" help="What learners will call it." />
        <SelectInput
          field={fields.category}
          label="Category"
          options={categories}
          help={
            categories.length === 0
              ? 'Your company has no categories yet: add some in the settings.'
              : undefined
          }
        />
        <div className="dialog-actions">
          <ButtonLink to={closeHref} variant="soft" color="gray">
            Cancel
          </ButtonLink>
          <SubmitButton intent="create">Create journey</SubmitButton>
        </div>
      </Form>
    </Modal>
  )
}
