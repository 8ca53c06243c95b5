/** The form of a learning objective, which questions of a journey measure. */
import { getFormProps } from '@conform-to/react'
import { useParams } from '@remix-run/react'
import { formOfObjective, Objective, ObjectiveForm } from '#app/domain/objectives/objective.ts'
import { FormErrors, SubmitButton } from '#app/ui/form/form.tsx'
import { SavedMeanwhile } from '#app/ui/form/saved-meanwhile.tsx'
import { useSchemaForm } from '#app/ui/form/schema-form.ts'
import { Form } from '#app/ui/form/scoped-form.tsx'
import { SeenVersion } from '#app/ui/form/seen-version.tsx'
import { TextInput } from '#app/ui/form/text-input.tsx'
import { differencesOf } from '../differences.ts'

/** Null for a new one, or one that was deleted during editing. */
export function ObjectiveFields({ objective }: { objective: Objective | null }) {
  const { journeyId } = useParams()
  const { form, fields, stored } = useSchemaForm(ObjectiveForm, {
    id: 'objective',
    defaultValue: objective ? formOfObjective(objective) : {},
  })
  const saved = Objective.safeParse(stored).data
  return (
    <Form
      method="post"
      preventScrollReset
      {...getFormProps(form)}
      className="stack"
      {...(objective ? {} : { action: `/lljs/${journeyId}/objectives` })}
    >
      <FormErrors form={form} labels={LABELS} />
      {saved ? <SavedMeanwhile differences={differencesOf(LABELS, formOfObjective(saved), fields)} /> : null}
      {objective ? <SeenVersion field={fields.lock_version} saved={saved?.lock_version} /> : null}
      <TextInput field={fields.code} label="Code" help="Short, like LO1." />
      <TextInput field={fields.text} label="What people can do afterwards" />
      <TextInput field={fields.target_percent} label="Target (%)" type="number" inputMode="numeric" />
      <div>
        <SubmitButton>{objective ? 'Save objective' : 'Add objective'}</SubmitButton>
      </div>
    </Form>
  )
}

const LABELS = {
  code: 'Code',
  text: 'What people can do afterwards',
  target_percent: 'Target (%)',
}
