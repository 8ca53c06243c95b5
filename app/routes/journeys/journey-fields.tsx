/** The form of a journey's details: in the list's edit dialog and beside its schedule. */
import { getFormProps, getInputProps, type SubmissionResult, useForm } from '@conform-to/react'
import { parseWithZod } from '@conform-to/zod/v4'
import { Form } from '@remix-run/react'
import type { ReactNode } from 'react'
import { type Journey, JourneyRow } from '#app/domain/journeys/journey.ts'
import { formOfJourney, JourneyForm } from '#app/domain/journeys/journey-form.ts'
import { WEEKDAYS } from '#app/domain/schedules/schedule.ts'
import { ChoiceInput } from '#app/ui/choice-input.tsx'
import { constraintOf } from '#app/ui/constraint.ts'
import { FormActions, FormErrors, SelectInput, SubmitButton, TextArea, TextInput } from '#app/ui/form.tsx'
import { SavedMeanwhile } from '#app/ui/saved-meanwhile.tsx'
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

const ZONE_MODES = [
  { value: 'recipient', label: 'Where each learner is' },
  { value: 'journey', label: 'In the journey’s own zone' },
]
const CHANNEL_CHOICES = [
  { value: 'sms', label: 'Text message, to those who agreed' },
  { value: 'email', label: 'E-mail' },
  { value: 'in_app', label: 'Notification in Liftwell' },
]
const LATE_CHOICES = [
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
  const saved = JourneyRow.safeParse(current).data
  const [form, fields] = useForm({
    id: 'journey',
    defaultValue: formOfJourney(journey),
    lastResult,
    constraint: constraintOf(JourneyForm),
    defaultNoValidate: false,
    onValidate: ({ formData }) => parseWithZod(formData, { schema: JourneyForm }),
    shouldRevalidate: 'onInput',
  })
  const known = journey.category && !categories.includes(journey.category) ? [journey.category] : []
  const { key, ...lock } = getInputProps(fields.lock_version, { type: 'hidden' })
  return (
    <Form method="post" preventScrollReset {...getFormProps(form)} className="stack">
      <FormErrors form={form} />
      <ImpactQuestion intent="save-journey" />
      {saved ? (
        <SavedMeanwhile differences={differences(saved, fields.name.value, fields.category.value)} />
      ) : null}
      <input key={key} {...lock} value={saved?.lock_version ?? lock.defaultValue} />
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
      <FormActions>
        {children}
        <SubmitButton intent="save-journey">Save journey</SubmitButton>
      </FormActions>
    </Form>
  )
}

const differences = (saved: JourneyRow, name: string | undefined, category: string | undefined) => [
  { label: 'Name', saved: saved.name, typed: name ?? '' },
  { label: 'Category', saved: saved.category ?? '', typed: category ?? '' },
]
