/** Writing one lift: its message, its text, its question. */
import { getFormProps, type SubmissionResult, useForm } from '@conform-to/react'
import { Link, useLocation } from '@remix-run/react'
import type { ReactNode } from 'react'
import type { z } from 'zod'
import { DEFAULT_MESSAGE, messageSegments, TEMPLATE_FIELDS } from '#app/domain/journeys/template.ts'
import { Lift } from '#app/domain/lifts/lift.ts'
import { formOfLift, LiftForm } from '#app/domain/lifts/lift-form.ts'
import type { ScheduleRule } from '#app/domain/lifts/schedule-rule.ts'
import type { Objective } from '#app/domain/objectives/objective.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { ChoiceInput } from '#app/ui/choice-input.tsx'
import { constraintOf } from '#app/ui/constraint.ts'
import { Modal } from '#app/ui/dialog.tsx'
import { CheckboxInput, FormErrors, FormSection, SubmitButton, TextArea, TextInput } from '#app/ui/form.tsx'
import { parseForm } from '#app/ui/parse-form.ts'
import { Form } from '#app/ui/place-form.tsx'
import { SavedMeanwhile } from '#app/ui/saved-meanwhile.tsx'
import { useSearchLink } from '#app/ui/search.ts'
import { SeenVersion } from '#app/ui/seen-version.tsx'
import { differencesOf } from './differences.ts'
import { ImpactQuestion } from './impact-question.tsx'
import { BlockAdditions, LIFT_FORM } from './lift-openers.tsx'
import { LiftParts } from './lift-parts.tsx'
import { ObjectiveChoice } from './objective-choice.tsx'
import { OptionRows } from './option-rows.tsx'
import { RuleFields } from './rule-fields.tsx'

type LiftEditorProps = {
  lift?: Lift | undefined
  /** Those it may wait for. */
  others: readonly Pick<Lift, 'id' | 'title'>[]
  objectives: readonly Objective[]
  /** Its name, as messages give it. */
  journey: string
  mayBeSent: boolean
  /** The day at its place, as long as it is a draft. */
  today: string | undefined
  /** When a new one comes, unless one says otherwise. */
  rule: ScheduleRule
  /** The page as its learners see it. */
  phone?: ReactNode
  closeHref: string
  lastResult: SubmissionResult<string[]> | null
  current?: unknown
}

export function LiftEditor(props: LiftEditorProps) {
  const { lift, others, objectives, journey, mayBeSent, today, rule } = props
  const { phone, closeHref, lastResult, current } = props
  const saved = Lift.safeParse(current).data
  const [form, fields] = useForm({
    id: LIFT_FORM,
    defaultValue: { sms_text: DEFAULT_MESSAGE, ...defined(formOfLift(lift, rule)) },
    lastResult,
    constraint: constraintOf(LiftForm),
    defaultNoValidate: false,
    onValidate: ({ formData }) => parseForm(formData, LiftForm),
    shouldRevalidate: 'onInput',
  })
  const link = useSearchLink()
  const { pathname } = useLocation()
  const anew = lift ? {} : { lift: null, create: 'true' }
  // The way on to a part is that of the button which was pressed for it.
  const here = { ...anew, open: null }
  return (
    <Modal title={lift ? `Edit lift “${lift.title}”` : 'New lift'} closeHref={closeHref} size="large">
      <Form
        method="post"
        preventScrollReset
        {...getFormProps(form)}
        {...(lift ? {} : { action: link(anew) })}
      >
        <FormErrors form={form} labels={LABELS} />
        <ImpactQuestion intent="save-lift" />
        {saved ? (
          <SavedMeanwhile differences={differencesOf(FIELD_NAMES, formOfLift(saved), fields)} />
        ) : null}
        {lift ? <SeenVersion field={fields.lock_version} saved={saved?.lock_version} /> : null}
        <FormSection
          title="Message"
          help={`Fields: ${TEMPLATE_FIELDS.map((name) => `{{${name}}}`).join(' ')}`}
        >
          <TextInput field={fields.title} label="Title" />
          <TextArea
            field={fields.sms_text}
            label="Message"
            rows={3}
            help={
              <Segments text={fields.sms_text.value} names={{ journey, lift: fields.title.value ?? '' }} />
            }
          />
          <TextInput
            field={fields.email_subject}
            label="Subject of the e-mail"
            help="Empty: journey and title."
          />
        </FormSection>
        {lift ? null : <FirstContent fields={fields} />}
        <FormSection
          title="When"
          help="Times of day count as the journey’s details say: by each learner’s clock, or by one for all."
        >
          <RuleFields fields={fields} others={others} today={today} />
        </FormSection>
        <FormSection title="Completion" help="When it counts as done, and until when it can be.">
          <ChoiceInput field={fields.completion_rule} label="It is done when" options={DONE_WHEN} />
          <TextInput
            field={fields.closes_after_hours}
            label="Closes after hours"
            type="number"
            inputMode="numeric"
            help="Empty: it stays open."
          />
          <TextInput field={fields.est_minutes} label="Minutes it takes" type="number" inputMode="numeric" />
          <CheckboxInput field={fields.is_optional} label="Learners may leave this lift out" />
          <ObjectiveChoice field={fields.objective_ids} objectives={objectives} />
        </FormSection>
        <FormSection
          title="Ready"
          help={
            <>
              Only lifts that are ready are sent.
              {lift ? (
                <>
                  {' '}
                  <Link to={`/lift/t/${lift.id}`} target="_blank">
                    Preview as on a phone
                  </Link>{' '}
                  · <Link to={link({ lift: null, test: String(lift.id) })}>Send a test</Link>
                  {mayBeSent ? (
                    <>
                      {' '}
                      · <Link to={link({ lift: null, send: String(lift.id) })}>Send now</Link>
                    </>
                  ) : null}
                </>
              ) : null}
            </>
          }
        >
          <CheckboxInput field={fields.is_ready} label="This lift is ready" />
        </FormSection>
        <div className="dialog-actions">
          <ButtonLink to={closeHref} variant="soft" color="gray">
            Cancel
          </ButtonLink>
          <SubmitButton intent="save-lift" formAction={`${pathname}${link(here)}`}>
            Save lift
          </SubmitButton>
        </div>
      </Form>
      {lift ? <LiftParts lift={saved ?? lift} /> : <BlockAdditions />}
      {phone}
    </Modal>
  )
}

const LETTERS = {
  'GSM-7': 'plain letters: 160 a text',
  'UCS-2': 'with emoji or special letters: 70 a text',
}

/** Counts while one types, once there is JavaScript; before that, what was saved. */
function Segments({
  text = '',
  names,
}: {
  text: string | undefined
  names: { journey: string; lift: string }
}) {
  const { segments, encoding, remaining } = messageSegments(text, names)
  return (
    <>
      About {segments} SMS {segments === 1 ? 'text' : 'texts'} ({LETTERS[encoding]}, {remaining} left); at
      most 3. The link is added where you leave it out.
    </>
  )
}

type Fields = ReturnType<typeof useForm<z.input<typeof LiftForm>>>[1]

/** A new lift begins with a text and a question; more of both is added once it is saved. */
function FirstContent({ fields }: { fields: Fields }) {
  return (
    <>
      <FormSection
        title="Page"
        help="What the link in the message leads to. Markdown: **bold**, lists, links. Images, recordings and files are added below, which saves the lift."
      >
        <TextArea field={fields.body} label="Text" rows={8} />
      </FormSection>
      <FormSection title="Question" help="One question, one answer. Feedback is shown at once.">
        <TextInput field={fields.question} label="Question" />
        <OptionRows
          rows={fields.options.getFieldList()}
          correct={fields.correct}
          errors={fields.options.errors}
        />
      </FormSection>
    </>
  )
}

const DONE_WHEN = [
  { value: 'all_required_prompts', label: 'All its questions are answered' },
  { value: 'viewed_and_confirmed', label: 'The learner says that they have read it' },
]

const FIELD_NAMES = {
  title: 'Title',
  sms_text: 'Message',
  email_subject: 'Subject',
  when: 'It is sent',
  date: 'Date',
  days: 'Days',
  time: 'Time of day',
  week: 'Week',
  weekday: 'Day',
  after_lift_id: 'The lift it waits for',
  min_hours: 'Hours after it',
  completion_rule: 'It is done when',
  closes_after_hours: 'Closes after hours',
  est_minutes: 'Minutes',
  is_optional: 'May be left out',
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
