import { getFormProps } from '@conform-to/react'
import { WEEKDAYS } from '#app/domain/hours/wall-time.ts'
import { Journey } from '#app/domain/journeys/journey.ts'
import { formOfJourney, JourneyForm } from '#app/domain/journeys/journey-form.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { ChoiceInput, SelectInput } from '#app/ui/form/choice-input.tsx'
import type { FieldProps } from '#app/ui/form/field.tsx'
import { FormActions, FormErrors, SubmitButton } from '#app/ui/form/form.tsx'
import { SavedMeanwhile } from '#app/ui/form/saved-meanwhile.tsx'
import { useSchemaForm } from '#app/ui/form/schema-form.ts'
import { Form } from '#app/ui/form/scoped-form.tsx'
import { SeenVersion } from '#app/ui/form/seen-version.tsx'
import { TextArea, TextInput } from '#app/ui/form/text-input.tsx'
import { differencesOf } from '../differences.ts'
import { ImpactQuestion } from '../impact-question.tsx'

type JourneyFieldsProps = {
  journey: Journey
  /** Null if nothing can be saved any longer: only the input is shown. */
  choices: { categories: readonly string[]; timezones: readonly string[] } | null
  /** The page that it was opened from. */
  back: string
}

export const ZONE_MODES = [
  { value: 'recipient', label: 'Each learner’s own' },
  { value: 'journey', label: 'One for the whole journey' },
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
  { value: 'skip', label: 'Start with the next lift' },
  { value: 'one_a_day', label: 'Catch up, one a day' },
  { value: 'todo_only', label: 'Get earlier lifts in their to-do list' },
]

const onlyTyped = (category = '', timezone = '') => ({
  categories: [category].filter(Boolean),
  timezones: [timezone].filter(Boolean),
})

export function JourneyFields({ journey, choices, back }: JourneyFieldsProps) {
  const { form, fields, stored } = useSchemaForm(JourneyForm, {
    id: 'journey',
    defaultValue: formOfJourney(journey),
  })
  const saved = Journey.safeParse(stored).data
  const { categories, timezones } =
    choices ?? onlyTyped(fields.category.initialValue, fields.timezone.initialValue)
  const reminders = fields.reminders.getFieldList()
  const known = journey.category && !categories.includes(journey.category) ? [journey.category] : []
  return (
    <Form method="post" preventScrollReset {...getFormProps(form)} className="stack page-narrow">
      <FormErrors form={form} labels={{ ...FIELD_NAMES, ...namesOf(reminders) }} />
      <ImpactQuestion />
      {saved ? (
        <SavedMeanwhile differences={differencesOf(FIELD_NAMES, formOfJourney(saved), fields)} />
      ) : null}
      <SeenVersion field={fields.lock_version} saved={saved?.lock_version} />
      <TextInput field={fields.name} label="Name" />
      <SelectInput field={fields.category} label="Category" options={[...known, ...categories]} required />
      <TextArea field={fields.description} label="Description" help="Learners see it under the name." />
      <TextInput
        field={fields.start_on}
        label="Starts on"
        type="date"
        help="Leave blank to start on the day of the launch."
      />
      <TextInput field={fields.default_send_time} label="Usual time of day" type="time" />
      <ChoiceInput field={fields.send_days} label="Sending days" options={WEEKDAYS} multiple />
      <ChoiceInput field={fields.timezone_mode} label="Time zone" options={ZONE_MODES} />
      <SelectInput field={fields.timezone} label="Journey time zone" options={timezones} />
      <ChoiceInput
        field={fields.channels}
        label="Learners are reached by"
        options={CHANNEL_CHOICES}
        multiple
        help="Every lift is in their to-do list, too."
      />
      <ChoiceInput
        field={fields.late_joiners}
        label="New learners, after the launch"
        options={LATE_CHOICES}
      />
      <TextInput
        field={fields.grace_days}
        label="Days to answer after the end"
        type="number"
        inputMode="numeric"
        help="How long learners can still answer once the journey is completed."
      />
      <Reminders rows={reminders} />
      <FormActions>
        <ButtonLink to={back} variant="soft" color="gray">
          Cancel
        </ButtonLink>
        <SubmitButton>Save journey</SubmitButton>
      </FormActions>
    </Form>
  )
}

type Row = {
  key: string | undefined
  // biome-ignore lint/suspicious/noExplicitAny: a row of whichever form
  getFieldset(): { after_hours: FieldProps<any>['field']; channel: FieldProps<any>['field'] }
}

const hoursOf = (index: number) => `Reminder ${index + 1}, hours after the lift`
const channelOf = (index: number) => `Channel of reminder ${index + 1}`

const namesOf = (rows: readonly Row[]) =>
  Object.fromEntries(
    rows.flatMap((row, index) => {
      const { after_hours, channel } = row.getFieldset()
      return [
        [after_hours.name, hoursOf(index)],
        [channel.name, channelOf(index)],
      ]
    }),
  )

function Reminders({ rows }: { rows: readonly Row[] }) {
  return (
    <fieldset className="field stack">
      <legend className="field-label">Reminders</legend>
      <p className="field-help">
        Sent to people who haven’t answered. Leave the hours blank for no reminder.
      </p>
      {rows.map((row, index) => {
        const { after_hours, channel } = row.getFieldset()
        return (
          <div key={row.key} className="reminder-row">
            <TextInput field={after_hours} label={hoursOf(index)} type="number" inputMode="numeric" />
            <SelectInput field={channel} label={channelOf(index)} options={CHANNEL_NAMES} />
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
  send_days: 'Sending days',
  timezone_mode: 'Time zone',
  timezone: 'Journey time zone',
  channels: 'Learners are reached by',
  reminders: 'Reminders',
  late_joiners: 'New learners, after the launch',
  grace_days: 'Days to answer after the end',
}
