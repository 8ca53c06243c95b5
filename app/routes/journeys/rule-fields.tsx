/** When a lift is sent: the same fields in its editor and where one tries out another time. */
import type { LiftName } from '#app/domain/lifts/lift.ts'
import { WEEKDAYS } from '#app/domain/wall-time.ts'
import { ChoiceInput } from '#app/ui/choice-input.tsx'
import type { FieldProps } from '#app/ui/field.tsx'
import { SelectInput, TextInput } from '#app/ui/form.tsx'

const WHEN_OPTIONS = [
  { value: 'launch', label: 'With the launch' },
  { value: 'date', label: 'On a date' },
  { value: 'after_start', label: 'Some days after the start' },
  { value: 'after_joining', label: 'Some days after a learner joined' },
  { value: 'after_previous', label: 'Some days after the lift before was completed' },
  { value: 'weekly', label: 'On a day of a week' },
  { value: 'after_lift', label: 'Some hours after another lift was completed' },
  { value: 'by_hand', label: 'When somebody sends it' },
]

type Names = 'when' | 'date' | 'days' | 'time' | 'week' | 'weekday' | 'after_lift_id' | 'min_hours'
type RuleFieldsProps = {
  // biome-ignore lint/suspicious/noExplicitAny: the fields of either form, which differ in what else the form has
  fields: Record<Names, FieldProps<any>['field']>
  /** Those it may wait for. */
  others: readonly Pick<LiftName, 'id' | 'title'>[]
  /** Of a draft, the day at the journey's place: what is dated before it is past. */
  today?: string | undefined
}

export function RuleFields({ fields, others, today }: RuleFieldsProps) {
  const { when, date } = fields
  const isPast = today !== undefined && when.value === 'date' && isDayBefore(date.value, today)
  return (
    <>
      <ChoiceInput field={fields.when} label="It is sent" options={WHEN_OPTIONS} />
      <TextInput field={fields.date} label="Date" type="date" {...(isPast ? { help: PAST } : {})} />
      <TextInput field={fields.days} label="Days" type="number" inputMode="numeric" />
      <TextInput
        field={fields.time}
        label="Time of day"
        type="time"
        help="Empty: the journey’s usual time."
      />
      <details className="more" open={['weekly', 'after_lift'].includes(String(fields.when.initialValue))}>
        <summary>Weekly, or after another lift</summary>
        <div className="stack">
          <TextInput
            field={fields.week}
            label="Week"
            type="number"
            inputMode="numeric"
            help="Calendar weeks, Monday to Sunday; week 1 is that of the start. Started on Sunday, March 1: Wednesday of week 2 is March 4."
          />
          <SelectInput field={fields.weekday} label="Day" options={WEEKDAYS} />
          <SelectInput
            field={fields.after_lift_id}
            label="The lift it waits for"
            options={others.map(({ id, title }) => ({ value: String(id), label: title }))}
          />
          <TextInput field={fields.min_hours} label="Hours after it" type="number" inputMode="numeric" />
        </div>
      </details>
    </>
  )
}

const isDayBefore = (day: unknown, today: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(String(day)) && String(day) < today

const PAST = (
  <strong>
    This day is past. It can be saved; at the launch you decide whether the lift is skipped or sent.
  </strong>
)
