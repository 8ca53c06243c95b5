/** The editor of an assessment: its name, raters and times. */
import { getFormProps } from '@conform-to/react'
import { useParams } from '@remix-run/react'
import { Assessment } from '#app/domain/assessments/assessment.ts'
import { AssessmentForm, END_LABELS, formOfAssessment } from '#app/domain/assessments/assessment-form.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { FormErrors, SubmitButton } from '#app/ui/form/form.tsx'
import { compare, SavedMeanwhile } from '#app/ui/form/saved-meanwhile.tsx'
import { useSchemaForm } from '#app/ui/form/schema-form.ts'
import { Form } from '#app/ui/form/scoped-form.tsx'
import { SeenVersion } from '#app/ui/form/seen-version.tsx'
import { listOf } from './address.ts'
import { AboutFields, ClosingFields, OpeningFields } from './assessment-fields.tsx'

const LABELS = {
  ...END_LABELS,
  phase: 'Time in the journey',
  raters: 'Who is asked about each learner',
  opens_when: 'It opens',
  opens_date: 'Date it opens',
  opens_days: 'Days until it opens',
  opens_time: 'Time of day it opens',
  closes_when: 'It closes',
  closes_date: 'Date it closes',
  closes_days: 'Days until it closes',
  closes_time: 'Time of day it closes',
}

/** Null for a new one, or one that was deleted during editing. */
export function AssessmentEditor({ assessment }: { assessment: Assessment | null }) {
  const list = listOf(useParams())
  const { form, fields, stored, typed } = useSchemaForm(AssessmentForm, {
    id: 'assessment',
    defaultValue: formOfAssessment(assessment),
  })
  const saved = Assessment.safeParse(stored).data
  return (
    <Form
      method="post"
      preventScrollReset
      {...getFormProps(form)}
      className="stack"
      {...(assessment ? {} : { action: `${list}new` })}
    >
      <FormErrors form={form} labels={LABELS} />
      {saved ? (
        <SavedMeanwhile
          differences={compare({ name: 'Name', ...END_LABELS }, formOfAssessment(saved), typed)}
        />
      ) : null}
      {assessment ? <SeenVersion field={fields.lock_version} saved={saved?.lock_version} /> : null}
      {assessment && assessment.submitted > 0 ? (
        <p>Someone has submitted it already: you can only change its name and its end.</p>
      ) : null}
      <AboutFields fields={fields} />
      <OpeningFields fields={fields} />
      <ClosingFields fields={fields} />
      <div className="form-actions">
        <ButtonLink to={list} variant="soft" color="gray">
          Cancel
        </ButtonLink>
        <SubmitButton>Save assessment</SubmitButton>
      </div>
    </Form>
  )
}
