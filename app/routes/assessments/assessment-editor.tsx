/** One assessment: its name, of whom it is asked and when; and what it asks, item by item. */
import { getFormProps, type SubmissionResult, useForm } from '@conform-to/react'
import { Assessment } from '#app/domain/assessments/assessment.ts'
import {
  AssessmentForm,
  type AssessmentFormFields,
  formOfAssessment,
  PHASE_NAMES,
  RATER_NAMES,
} from '#app/domain/assessments/assessment-form.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { Modal } from '#app/ui/dialog.tsx'
import { ChoiceInput } from '#app/ui/form/choice-input.tsx'
import { FormErrors, FormSection, SubmitButton, TextInput } from '#app/ui/form/form.tsx'
import { parseForm } from '#app/ui/form/parse-form.ts'
import { compare, SavedMeanwhile } from '#app/ui/form/saved-meanwhile.tsx'
import { Form } from '#app/ui/form/scoped-form.tsx'
import { SeenVersion } from '#app/ui/form/seen-version.tsx'
import { useSearchLink } from '#app/ui/list/search.ts'
import { ItemList } from './item-list.tsx'

const optionsOf = (names: Record<string, string>) =>
  Object.entries(names).map(([value, label]) => ({ value, label }))
const WHEN = {
  date: 'On a date',
  after_start: 'Days after the start',
  after_joining: 'Days after a learner joined',
}
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
        <FormSection title="Assessment" help="Items with the same wording before and after are compared.">
          <TextInput field={fields.name} label="Name" maxLength={120} required />
          <ChoiceInput field={fields.phase} label="Time in the journey" options={optionsOf(PHASE_NAMES)} />
          <ChoiceInput
            field={fields.raters}
            label="Who is asked about each learner"
            help="Up to 10 peers. Their answers are shown together, once 5 have answered."
            options={optionsOf(RATER_NAMES)}
            multiple
          />
        </FormSection>
        <FormSection
          title="Opens"
          help="Opens at the local time of the person asked, never at night, and only once it has questions."
        >
          <ChoiceInput field={fields.opens_when} label="It opens" options={optionsOf(WHEN)} />
          <TextInput field={fields.opens_date} label="Date it opens" type="date" />
          <TextInput
            field={fields.opens_days}
            label="Days until it opens"
            type="number"
            inputMode="numeric"
          />
          <TextInput
            field={fields.opens_time}
            label="Time of day it opens"
            type="time"
            help="Leave blank for the journey’s usual time."
          />
        </FormSection>
        <FormSection title="Closes" help="Forms that are not submitted by then are closed.">
          <ChoiceInput
            field={fields.closes_when}
            label="It closes"
            options={optionsOf({ never: 'Stays open', ...WHEN })}
          />
          <TextInput field={fields.closes_date} label="Date it closes" type="date" />
          <TextInput
            field={fields.closes_days}
            label="Days until it closes"
            type="number"
            inputMode="numeric"
          />
          <TextInput field={fields.closes_time} label="Time of day it closes" type="time" />
        </FormSection>
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
