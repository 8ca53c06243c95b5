/** The form of a journey's details: in the list's edit dialog and beside its schedule. */
import { getFormProps, type SubmissionResult, useForm } from '@conform-to/react'
import type { ReactNode } from 'react'
import { Journey } from '#app/domain/journeys/journey.ts'
import { formOfJourney, JourneyForm } from '#app/domain/journeys/journey-form.ts'
import { WEEKDAYS } from '#app/domain/wall-time.ts'
import { ChoiceInput } from '#app/ui/choice-input.tsx'
import { constraintOf } from '#app/ui/constraint.ts'
import type { FieldProps } from '#app/ui/field.tsx'
import { FormActions, FormErrors, SelectInput, SubmitButton, TextArea, TextInput } from '#app/ui/form.tsx'
import { parseForm } from '#app/ui/parse-form.ts'
import { Form } from '#app/ui/place-form.tsx'
import { SavedMeanwhile } from '#app/ui/saved-meanwhile.tsx'
import { SeenVersion } from '#app/ui/seen-version.tsx'
import { differencesOf } from './differences.ts'
import { ImpactQuestion } from './impact-question.tsx'

type JourneyFieldsProps = {
  journey: Journey
  categories: readonly string[]
  timezones: readonly string[]
  lastResult: SubmissionResult<string[]> | null
  /** What somebody else saved meanwhile. */
  current?: unknown
  children?: ReactNode
}

export const ZONE_MODES = [
  { value: 'recipient', label: 'Where each learner is' },
  { value: 'journey', label: 'In the journey’s own zone' },
]
const CHANNEL_CHOICES = [
  { value: 'sms', label: 'Text message, to those who agreed' },
  { value: 'email', label: 'E-mail' },
  { value: 'in_app', label: 'Notification in Liftwell' },
]
const CHANNEL_NAMES = [
  { value: 'sms', label: 'Text message' },
  { value: 'email', label: 'E-mail' },
  { value: 'in_app', label: 'In Liftwell' },
]
export const LATE_CHOICES = [
  { value: 'skip', label: 'Get what is still to come' },
  { value: 'one_a_day', label: 'Catch up, one lift a day' },
  { value: 'todo_only', label: 'Find the earlier lifts in their to-do list' },
]

export function JourneyFields({
  journey,
  categories,
  timezones,
  lastResult,
  current,
  children,
}: JourneyFieldsProps) {
  const saved = Journey.safeParse(current).data
  const [form, fields] = useForm({
    id: 'journey',
    defaultValue: formOfJourney(journey),
    lastResult,
    constraint: constraintOf(JourneyForm),
    defaultNoValidate: false,
    onValidate: ({ formData }) => parseForm(formData, JourneyForm),
    shouldRevalidate: 'onInput',
  })
  const known = journey.category && !categories.includes(journey.category) ? [journey.category] : []
  return (
    <Form method="post" preventScrollReset {...getFormProps(form)} className="stack">
      <FormErrors form={form} labels={{ ...FIELD_NAMES, send_days: 'Days on which lifts are sent' }} />
      <ImpactQuestion intent="save-journey" />
      {saved ? (
        <SavedMeanwhile differences={differencesOf(FIELD_NAMES, formOfJourney(saved), fields)} />
      ) : null}
      <SeenVersion field={fields.lock_version} saved={saved?.lock_version} />
      <TextInput field={fields.name} label="Name" />
      <SelectInput field={fields.category} label="Category" options={[...known, ...categories]} required />
      <TextArea
        field={fields.description}
        label="Description"
        help="For those who work on it; learners see the name."
      />
      <TextInput
        field={fields.start_on}
        label="Starts on"
        type="date"
        help="Empty: on the day of the launch."
      />
      <TextInput field={fields.default_send_time} label="Usual time of day" type="time" />
      <ChoiceInput
        field={fields.send_days}
        label="Days on which lifts are sent"
        options={WEEKDAYS}
        multiple
      />
      <ChoiceInput field={fields.timezone_mode} label="Times of day count" options={ZONE_MODES} />
      <SelectInput field={fields.timezone} label="Time zone of the journey" options={timezones} />
      <ChoiceInput
        field={fields.channels}
        label="Learners are reached by"
        options={CHANNEL_CHOICES}
        multiple
        help="Everything also stands in their to-do list."
      />
      <ChoiceInput
        field={fields.late_joiners}
        label="People who join after the launch"
        options={LATE_CHOICES}
      />
      <Reminders rows={fields.reminders.getFieldList()} />
      <FormActions>
        {children}
        <SubmitButton intent="save-journey">Save journey</SubmitButton>
      </FormActions>
    </Form>
  )
}

type Row = {
  key: string | undefined
  // biome-ignore lint/suspicious/noExplicitAny: a row of whichever form
  getFieldset(): { after_hours: FieldProps<any>['field']; channel: FieldProps<any>['field'] }
}

function Reminders({ rows }: { rows: readonly Row[] }) {
  return (
    <fieldset className="field stack">
      <legend className="field-label">Reminders</legend>
      <p className="field-help">
        To who has not answered. Empty hours: none. They end with the first answer.
      </p>
      {rows.map((row, index) => {
        const { after_hours, channel } = row.getFieldset()
        return (
          <div key={row.key} className="reminder-row">
            <TextInput
              field={after_hours}
              label={`Reminder ${index + 1}, hours after the lift`}
              type="number"
              inputMode="numeric"
            />
            <SelectInput field={channel} label={`By, reminder ${index + 1}`} options={CHANNEL_NAMES} />
          </div>
        )
      })}
    </fieldset>
  )
}

const FIELD_NAMES = {
  name: 'Name',
  category: 'Category',
  description: 'Description',
  start_on: 'Starts on',
  default_send_time: 'Usual time of day',
  send_days: 'Days',
  timezone_mode: 'Times of day count',
  timezone: 'Time zone',
  channels: 'Reached by',
  reminders: 'Reminders',
  late_joiners: 'Late joiners',
}
