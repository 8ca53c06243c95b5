/** Writing one lift: its message, its text, its question. */
import { getFormProps, getInputProps, type SubmissionResult, useForm } from '@conform-to/react'
import { parseWithZod } from '@conform-to/zod/v4'
import { Form, Link } from '@remix-run/react'
import type { z } from 'zod'
import { Lift } from '#app/domain/lifts/lift.ts'
import { formOfLift, LiftForm } from '#app/domain/lifts/lift-form.ts'
import { DEFAULT_MESSAGE, messageSegments, TEMPLATE_FIELDS } from '#app/domain/lifts/template.ts'
import type { Objective } from '#app/domain/objectives/objective.ts'
import { WEEKDAYS } from '#app/domain/schedules/schedule.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { ChoiceInput } from '#app/ui/choice-input.tsx'
import { constraintOf } from '#app/ui/constraint.ts'
import { Modal } from '#app/ui/dialog.tsx'
import {
  CheckboxInput,
  FormErrors,
  FormSection,
  SelectInput,
  SubmitButton,
  TextArea,
  TextInput,
} from '#app/ui/form.tsx'
import { SavedMeanwhile } from '#app/ui/saved-meanwhile.tsx'
import { ImpactQuestion } from './impact-question.tsx'
import { LiftParts } from './lift-parts.tsx'
import { ObjectiveChoice } from './objective-choice.tsx'
import { OptionRows } from './option-rows.tsx'

type LiftEditorProps = {
  lift?: Lift | undefined
  /** Those it may wait for. */
  others: readonly Pick<Lift, 'id' | 'title'>[]
  objectives: readonly Objective[]
  closeHref: string
  lastResult: SubmissionResult<string[]> | null
  current?: unknown
}

const LABELS = { options: 'Answers', sms_text: 'Message', body: 'Text' }

export function LiftEditor({ lift, others, objectives, closeHref, lastResult, current }: LiftEditorProps) {
  const saved = Lift.safeParse(current).data
  const [form, fields] = useForm({
    id: 'lift',
    defaultValue: { sms_text: DEFAULT_MESSAGE, ...defined(formOfLift(lift)) },
    lastResult,
    constraint: constraintOf(LiftForm),
    defaultNoValidate: false,
    onValidate: ({ formData }) => parseWithZod(formData, { schema: LiftForm }),
    shouldRevalidate: 'onInput',
  })
  const { key, ...lock } = getInputProps(fields.lock_version, { type: 'hidden' })
  return (
    <Modal title={lift ? `Edit lift “${lift.title}”` : 'New lift'} closeHref={closeHref} size="large">
      <Form method="post" preventScrollReset {...getFormProps(form)}>
        <FormErrors form={form} labels={LABELS} />
        <ImpactQuestion intent="save-lift" />
        {saved ? <SavedMeanwhile differences={differences(saved, fields)} /> : null}
        {lift ? <input key={key} {...lock} value={saved?.lock_version ?? lock.defaultValue} /> : null}
        <FormSection
          title="Message"
          help={`Fields: ${TEMPLATE_FIELDS.map((name) => `{{${name}}}`).join(' ')}`}
        >
          <TextInput field={fields.title} label="Title" />
          <TextArea
            field={fields.sms_text}
            label="Message"
            rows={3}
            help={<Segments text={fields.sms_text.value} />}
          />
          <TextInput
            field={fields.email_subject}
            label="Subject of the e-mail"
            help="Empty: journey and title."
          />
        </FormSection>
        {lift ? null : <FirstContent fields={fields} />}
        <FormSection title="When" help="Times of day are those of the journey’s settings.">
          <ChoiceInput field={fields.when} label="It is sent" options={WHEN_OPTIONS} />
          <TextInput field={fields.date} label="Date" type="date" />
          <TextInput field={fields.days} label="Days" type="number" inputMode="numeric" />
          <TextInput
            field={fields.time}
            label="Time of day"
            type="time"
            help="Empty: the journey’s usual time."
          />
          <details
            className="more"
            open={['weekly', 'after_lift'].includes(String(fields.when.initialValue))}
          >
            <summary>Weekly, or after another lift</summary>
            <div className="stack">
              <TextInput field={fields.week} label="Week" type="number" inputMode="numeric" />
              <SelectInput field={fields.weekday} label="Day" options={WEEKDAYS} />
              <SelectInput
                field={fields.after_lift_id}
                label="The lift it waits for"
                options={others.map(({ id, title }) => ({ value: String(id), label: title }))}
              />
              <TextInput field={fields.min_hours} label="Hours after it" type="number" inputMode="numeric" />
            </div>
          </details>
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
                  </Link>
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
          <SubmitButton intent="save-lift">Save lift</SubmitButton>
        </div>
      </Form>
      {lift ? <LiftParts lift={saved ?? lift} /> : null}
    </Modal>
  )
}

/** Counts while one types, once there is JavaScript; before that, what was saved. */
function Segments({ text = '' }: { text: string | undefined }) {
  const { segments, encoding, remaining } = messageSegments(text)
  return (
    <>
      About {segments} SMS {segments === 1 ? 'segment' : 'segments'} ({encoding}, {remaining} left in it); at
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
        help="What the link in the message leads to. Markdown: **bold**, lists, links. Save first to add images, recordings and files."
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
const DONE_WHEN = [
  { value: 'all_required_prompts', label: 'All its questions are answered' },
  { value: 'viewed_and_confirmed', label: 'The learner says that they have read it' },
]

type Typed = Record<'title' | 'sms_text' | 'email_subject', { value: string | undefined }>

function differences(saved: Lift, typed: Typed) {
  return [
    { label: 'Title', saved: saved.title, typed: typed.title.value ?? '' },
    { label: 'Message', saved: saved.sms_text, typed: typed.sms_text.value ?? '' },
    { label: 'Subject', saved: saved.email_subject, typed: typed.email_subject.value ?? '' },
  ]
}

const defined = <Values extends object>(values: Values): Partial<Values> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<Values>
