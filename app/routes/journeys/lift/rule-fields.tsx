/** The fields of a schedule rule, shared by the editor of a lift and the schedule preview. */
import type { ReactNode } from 'react'
import { WEEKDAYS } from '#app/domain/hours/wall-time.ts'
import type { LiftName } from '#app/domain/lifts/lift.ts'
import { ChoiceInput, SelectInput } from '#app/ui/form/choice-input.tsx'
import type { FieldProps } from '#app/ui/form/field.tsx'
import { TextInput } from '#app/ui/form/text-input.tsx'
import { useHydrated } from '#app/ui/hydrated.ts'

const WHEN_OPTIONS = [
  { value: 'launch', label: 'When the journey launches' },
  { value: 'date', label: 'On a date' },
  { value: 'after_start', label: 'Days after the start' },
  { value: 'after_joining', label: 'Days after a learner joined' },
  { value: 'after_previous', label: 'Days after completing the lift before' },
  { value: 'weekly', label: 'On a weekday of a week' },
  { value: 'after_lift', label: 'Hours after completing another lift' },
  { value: 'by_hand', label: 'Manually' },
]

type Names = 'when' | 'date' | 'days' | 'time' | 'week' | 'weekday' | 'after_lift_id' | 'min_hours'
type RuleFieldsProps = {
  // biome-ignore lint/suspicious/noExplicitAny: the fields of either form, which differ in what else the form has
  fields: Record<Names, FieldProps<any>['field']>
  /** The lifts that it can wait for. */
  others: readonly Pick<LiftName, 'id' | 'title'>[]
  /** For a draft, today in the journey's time zone: earlier dates are past. */
  today?: string | undefined
}

export function RuleFields({ fields, others, today }: RuleFieldsProps) {
  const { when, date } = fields
  const isPast = today !== undefined && when.value === 'date' && isDayBefore(date.value, today)
  const isHydrated = useHydrated()
  // Fields of other rules keep their input, and those with errors stay visible.
  const fieldset = (names: readonly Names[], children: ReactNode) => {
    const isAsked = names.some((name) => RULES.get(String(when.value))?.includes(name) || fields[name].errors)
    return <div hidden={isHydrated && !isAsked}>{children}</div>
  }
  return (
    <>
      <ChoiceInput field={when} label="Send" options={WHEN_OPTIONS} />
      {fieldset(
        ['date'],
        <TextInput field={date} label="Date" type="date" {...(isPast ? { help: PAST } : {})} />,
      )}
      {fieldset(['days'], <TextInput field={fields.days} label="Days" type="number" inputMode="numeric" />)}
      {fieldset(
        ['week'],
        <TextInput
          field={fields.week}
          label="Week"
          type="number"
          inputMode="numeric"
          help="Calendar weeks, Monday to Sunday; week 1 is that of the start. Started on Sunday, March 1: Wednesday of week 2 is March 4."
        />,
      )}
      {fieldset(['weekday'], <SelectInput field={fields.weekday} label="Day" options={WEEKDAYS} />)}
      {fieldset(
        ['after_lift_id'],
        <SelectInput
          field={fields.after_lift_id}
          label="After which lift"
          options={others.map(({ id, title }) => ({ value: String(id), label: title }))}
        />,
      )}
      {fieldset(
        ['min_hours'],
        <TextInput
          field={fields.min_hours}
          label="Hours after that lift"
          type="number"
          inputMode="numeric"
        />,
      )}
      {fieldset(
        ['time'],
        <TextInput
          field={fields.time}
          label="Time of day"
          type="time"
          help="Leave blank for the journey’s usual time."
        />,
      )}
    </>
  )
}

/** The fields of each rule: with JavaScript, only those of the chosen rule are visible. */
const RULES: ReadonlyMap<string, readonly Names[]> = new Map([
  ['date', ['date', 'time']],
  ['after_start', ['days', 'time']],
  ['after_joining', ['days', 'time']],
  ['after_previous', ['days', 'time']],
  ['weekly', ['week', 'weekday', 'time']],
  ['after_lift', ['after_lift_id', 'min_hours']],
])

const isDayBefore = (day: unknown, today: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(String(day)) && String(day) < today

const PAST = (
  <strong>
    This day is past. It can be saved; at the launch you decide whether the lift is skipped or sent.
  </strong>
)
