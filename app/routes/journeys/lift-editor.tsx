/** Writing one lift: its message, its text, its question. */
import { getFormProps, getInputProps, type SubmissionResult, useForm } from '@conform-to/react'
import { getZodConstraint, parseWithZod } from '@conform-to/zod/v4'
import { Form } from '@remix-run/react'
import { Lift } from '#app/domain/lifts/lift.ts'
import { formOfLift, LiftForm, promptOnForm } from '#app/domain/lifts/lift-form.ts'
import { DEFAULT_MESSAGE, messageSegments, TEMPLATE_FIELDS } from '#app/domain/lifts/template.ts'
import { describeRule } from '#app/domain/schedules/schedule.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { ChoiceInput } from '#app/ui/choice-input.tsx'
import { Modal } from '#app/ui/dialog.tsx'
import { CheckboxInput, FormErrors, FormSection, SubmitButton, TextArea, TextInput } from '#app/ui/form.tsx'
import { SavedMeanwhile } from '#app/ui/saved-meanwhile.tsx'
import { OptionRows } from './option-rows.tsx'

type LiftEditorProps = {
  lift?: Lift | undefined
  closeHref: string
  lastResult: SubmissionResult<string[]> | null
  current?: unknown
}

const LABELS = { options: 'Answers', sms_text: 'Message', body: 'Text' }

export function LiftEditor({ lift, closeHref, lastResult, current }: LiftEditorProps) {
  const saved = Lift.safeParse(current).data
  const [form, fields] = useForm({
    id: 'lift',
    defaultValue: { sms_text: DEFAULT_MESSAGE, ...defined(formOfLift(lift)) },
    lastResult,
    constraint: getZodConstraint(LiftForm),
    defaultNoValidate: false,
    onValidate: ({ formData }) => parseWithZod(formData, { schema: LiftForm }),
    shouldRevalidate: 'onInput',
  })
  const { key, ...lock } = getInputProps(fields.lock_version, { type: 'hidden' })
  const others = lift ? lift.prompts.filter((prompt) => prompt !== promptOnForm(lift)).length : 0
  return (
    <Modal title={lift ? `Edit lift “${lift.title}”` : 'New lift'} closeHref={closeHref} size="large">
      <Form method="post" preventScrollReset {...getFormProps(form)}>
        <FormErrors form={form} labels={LABELS} />
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
        <FormSection
          title="Page"
          help="What the link in the message leads to. Markdown: **bold**, lists, links."
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
          {others > 0 ? (
            <p className="field-help">{others} more questions stand below this one and stay.</p>
          ) : null}
        </FormSection>
        <FormSection title="When" help="Times of day are those of the journey’s settings.">
          <ChoiceInput field={fields.when} label="It is sent" options={whenOptions(lift)} />
          <TextInput field={fields.date} label="Date" type="date" />
          <TextInput field={fields.days} label="Days after the start" type="number" inputMode="numeric" />
          <TextInput
            field={fields.time}
            label="Time of day"
            type="time"
            help="Empty: the journey’s usual time."
          />
        </FormSection>
        <FormSection title="Ready" help="Only lifts that are ready are sent.">
          <CheckboxInput field={fields.is_ready} label="This lift is ready" />
        </FormSection>
        <div className="dialog-actions">
          <ButtonLink to={closeHref} variant="soft" color="gray">
            Cancel
          </ButtonLink>
          <SubmitButton intent="save-lift">Save lift</SubmitButton>
        </div>
      </Form>
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

const whenOptions = (lift?: Lift) => [
  { value: 'launch', label: 'With the launch' },
  { value: 'date', label: 'On a date' },
  { value: 'after_start', label: 'Some days after the start' },
  { value: 'by_hand', label: 'When somebody sends it' },
  ...(lift && formOfLift(lift).when === 'as_it_is'
    ? [{ value: 'as_it_is', label: `As it is: ${describeRule(lift.schedule)}` }]
    : []),
]

type Typed = Record<'title' | 'sms_text' | 'body' | 'question', { value: string | undefined }>

function differences(saved: Lift, typed: Typed) {
  const now = formOfLift(saved)
  return [
    { label: 'Title', saved: now.title, typed: typed.title.value ?? '' },
    { label: 'Message', saved: now.sms_text ?? '', typed: typed.sms_text.value ?? '' },
    { label: 'Text', saved: now.body, typed: typed.body.value ?? '' },
    { label: 'Question', saved: now.question, typed: typed.question.value ?? '' },
  ]
}

const defined = <Values extends object>(values: Values): Partial<Values> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<Values>
