/** One assessment: its name, of whom it is asked and when; and what it asks, item by item. */
import { getFormProps, type SubmissionResult, useForm } from '@conform-to/react'
import { Assessment } from '#app/domain/assessments/assessment.ts'
import {
  AssessmentForm,
  type AssessmentFormFields,
  formOfAssessment,
} from '#app/domain/assessments/assessment-form.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { Modal } from '#app/ui/dialog.tsx'
import { FormErrors, SubmitButton } from '#app/ui/form/form.tsx'
import { parseForm } from '#app/ui/form/parse-form.ts'
import { compare, SavedMeanwhile } from '#app/ui/form/saved-meanwhile.tsx'
import { Form } from '#app/ui/form/scoped-form.tsx'
import { SeenVersion } from '#app/ui/form/seen-version.tsx'
import { useSearchLink } from '#app/ui/list/search.ts'
import { AboutFields, ClosingFields, OpeningFields } from './assessment-fields.tsx'
import { ItemList } from './item-list.tsx'

const ENDS = { opens: 'Opens', closes: 'Closes' } as const
const FIELDS = { when: '', date: ': date', days: ': days', time: ': time of day' }
const LABELS = Object.fromEntries(
  Object.entries(ENDS).flatMap(([end, word]) =>
    Object.entries(FIELDS).map(([field, words]) => [`${end}_${field}`, `${word}${words}`]),
  ),
)

type AssessmentEditorProps = {
  assessment: Assessment | undefined
  closeHref: string
  lastResult: SubmissionResult<string[]> | null
  current?: unknown
}

export function AssessmentEditor({ assessment, closeHref, lastResult, current }: AssessmentEditorProps) {
  const saved = Assessment.safeParse(current).data
  const [form, fields] = useForm<AssessmentFormFields>({
    id: 'assessment',
    defaultValue: formOfAssessment(assessment),
    lastResult,
    defaultNoValidate: false,
    onValidate: ({ formData }) => parseForm(formData, AssessmentForm),
    shouldRevalidate: 'onInput',
  })
  const link = useSearchLink()
  const isAnswered = (assessment?.submitted ?? 0) > 0
  return (
    <Modal
      title={assessment ? `Edit “${assessment.name}”` : 'New assessment'}
      closeHref={closeHref}
      size="large"
    >
      <Form
        method="post"
        preventScrollReset
        {...getFormProps(form)}
        {...(assessment ? {} : { action: link({ edit: null, create: 'true' }) })}
      >
        <FormErrors form={form} labels={LABELS} />
        {saved ? (
          <SavedMeanwhile
            differences={compare({ name: 'Name', ...LABELS }, formOfAssessment(saved), form.value ?? {})}
          />
        ) : null}
        {assessment ? <SeenVersion field={fields.lock_version} saved={saved?.lock_version} /> : null}
        {isAnswered ? (
          <p>Someone has submitted it already: you can only change its name and its end.</p>
        ) : null}
        <AboutFields fields={fields} />
        <OpeningFields fields={fields} />
        <ClosingFields fields={fields} />
        <div className="dialog-actions">
          <ButtonLink to={closeHref} variant="soft" color="gray">
            Cancel
          </ButtonLink>
          <SubmitButton intent="save-assessment">Save assessment</SubmitButton>
        </div>
      </Form>
      {assessment ? <ItemList assessment={saved ?? assessment} mayEdit={!isAnswered} /> : null}
    </Modal>
  )
}
