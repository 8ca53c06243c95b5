/** The form of one lift: its message, what its page has, when it is sent, when it is done. */
import { getFormProps } from '@conform-to/react'
import type { Journey } from '#app/domain/journeys/journey.ts'
import { DEFAULT_MESSAGE } from '#app/domain/journeys/template.ts'
import { Lift } from '#app/domain/lifts/lift.ts'
import { formOfLift, LiftForm } from '#app/domain/lifts/lift-form.ts'
import type { ScheduleRule } from '#app/domain/lifts/schedule-rule.ts'
import { textQuestion } from '#app/domain/lifts/text-question.ts'
import type { Objective } from '#app/domain/objectives/objective.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { CheckboxInput } from '#app/ui/form/choice-input.tsx'
import { DefaultButton } from '#app/ui/form/default-button.tsx'
import { FormActions, FormErrors, FormSection, SubmitButton } from '#app/ui/form/form.tsx'
import { SavedMeanwhile } from '#app/ui/form/saved-meanwhile.tsx'
import { useSchemaForm } from '#app/ui/form/schema-form.ts'
import { Form } from '#app/ui/form/scoped-form.tsx'
import { SeenVersion } from '#app/ui/form/seen-version.tsx'
import { differencesOf } from '../differences.ts'
import { ImpactQuestion } from '../impact-question.tsx'
import { useLiftAddress } from './address.ts'
import { CompletionFields } from './completion-fields.tsx'
import { FirstContent } from './first-content.tsx'
import { LiftParts, PartForms } from './lift-parts.tsx'
import { MessageFields, type Sender } from './message-fields.tsx'
import { LIFT_FORM } from './open-part.tsx'
import { RuleFields } from './rule-fields.tsx'

type LiftFieldsProps = {
  /** Undefined for a new one, or one that was deleted during editing. */
  lift: Lift | undefined
  journey: Pick<Journey, 'id' | 'name'>
  sender: Sender
  /** The lifts that it can wait for. */
  others: readonly Pick<Lift, 'id' | 'title'>[]
  objectives: readonly Objective[]
  /** Today in the time zone of the journey, while that is a draft. */
  today: string | undefined
  /** The default rule of a new lift. */
  rule?: ScheduleRule
}

export function LiftFields({ lift, journey, sender, others, objectives, today, rule }: LiftFieldsProps) {
  const { schedule } = useLiftAddress()
  const { form, fields, stored } = useSchemaForm(LiftForm, {
    id: LIFT_FORM,
    defaultValue: { sms_text: DEFAULT_MESSAGE, ...defined(formOfLift(lift, rule)) },
  })
  const saved = Lift.safeParse(stored).data
  return (
    <>
      <Form
        method="post"
        preventScrollReset
        {...getFormProps(form)}
        {...(lift ? {} : { action: `/lljs/${journey.id}/schedule/lifts/new` })}
      >
        <DefaultButton />
        <FormErrors form={form} labels={LABELS} />
        <ImpactQuestion />
        {saved ? (
          <SavedMeanwhile differences={differencesOf(FIELD_NAMES, formOfLift(saved), fields)} />
        ) : null}
        {lift ? <SeenVersion field={fields.lock_version} saved={saved?.lock_version} /> : null}
        <MessageFields
          fields={fields}
          journey={journey}
          sender={sender}
          question={lift ? textQuestion(saved ?? lift) : null}
        />
        {lift ? <LiftParts lift={saved ?? lift} /> : <FirstContent fields={fields} />}
        <FormSection title="When" help="Times use the time zone set in the journey’s details.">
          <RuleFields fields={fields} others={others} today={today} />
        </FormSection>
        <CompletionFields fields={fields} objectives={objectives} />
        <FormSection title="Ready" help="Only lifts that are ready are sent.">
          <CheckboxInput field={fields.is_ready} label="This lift is ready" />
        </FormSection>
        <FormActions>
          <ButtonLink to={schedule} variant="soft" color="gray">
            Cancel
          </ButtonLink>
          <SubmitButton>Save lift</SubmitButton>
        </FormActions>
      </Form>
      {lift ? <PartForms lift={saved ?? lift} /> : null}
    </>
  )
}

const FIELD_NAMES = {
  title: 'Title',
  sms_text: 'Message',
  email_subject: 'Subject',
  when: 'Send',
  date: 'Date',
  days: 'Days',
  time: 'Time of day',
  week: 'Week',
  weekday: 'Day',
  after_lift_id: 'After which lift',
  min_hours: 'Hours after that lift',
  completion_rule: 'Complete when',
  closes_after_hours: 'Closes after (hours)',
  est_minutes: 'Minutes',
  is_optional: 'Optional',
  objective_ids: 'Objectives',
  is_ready: 'Ready',
}

const LABELS: Record<string, string> = {
  ...FIELD_NAMES,
  ...{ email_subject: 'Subject of the e-mail', est_minutes: 'Minutes it takes', weekday: 'Day' },
  ...{ body: 'Text', question: 'Question', options: 'Answers' },
  ...Object.fromEntries(Array.from({ length: 4 }, (_, row) => [`options[${row}].text`, `Answer ${row + 1}`])),
}

const defined = <Values extends object>(values: Values): Partial<Values> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<Values>
