/** The fields of an assessment: its name, its raters, and when it opens and closes. */
import { type AssessmentForm, PHASE_NAMES, RATER_NAMES } from '#app/domain/assessments/assessment-form.ts'
import { ChoiceInput } from '#app/ui/form/choice-input.tsx'
import { FormSection } from '#app/ui/form/form.tsx'
import type { useSchemaForm } from '#app/ui/form/schema-form.ts'
import { TextInput } from '#app/ui/form/text-input.tsx'

const optionsOf = (names: Record<string, string>) =>
  Object.entries(names).map(([value, label]) => ({ value, label }))
const WHEN = {
  date: 'On a date',
  after_start: 'Days after the start',
  after_joining: 'Days after a learner joined',
}

const TIME_HELP = 'Leave blank for the journey’s usual time, or on a date for 9:00 AM.'

type Props = { fields: ReturnType<typeof useSchemaForm<(typeof AssessmentForm)['shape']>>['fields'] }

export function AboutFields({ fields }: Props) {
  return (
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
  )
}

export function OpeningFields({ fields }: Props) {
  return (
    <FormSection
      title="Opens"
      help="Opens at the local time of the person asked, never at night, and only once it has items."
    >
      <ChoiceInput field={fields.opens_when} label="It opens" options={optionsOf(WHEN)} />
      <TextInput field={fields.opens_date} label="Date it opens" type="date" />
      <TextInput field={fields.opens_days} label="Days until it opens" type="number" inputMode="numeric" />
      <TextInput field={fields.opens_time} label="Time of day it opens" type="time" help={TIME_HELP} />
    </FormSection>
  )
}

export function ClosingFields({ fields }: Props) {
  return (
    <FormSection title="Closes" help="Forms that are not submitted by then are closed.">
      <ChoiceInput
        field={fields.closes_when}
        label="It closes"
        options={optionsOf({ never: 'Stays open', ...WHEN })}
      />
      <TextInput field={fields.closes_date} label="Date it closes" type="date" />
      <TextInput field={fields.closes_days} label="Days until it closes" type="number" inputMode="numeric" />
      <TextInput field={fields.closes_time} label="Time of day it closes" type="time" help={TIME_HELP} />
    </FormSection>
  )
}
