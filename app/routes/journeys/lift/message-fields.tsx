/** The message of a lift, with the length of its text. */
import type { useForm } from '@conform-to/react'
import type { z } from 'zod'
import type { Journey } from '#app/domain/journeys/journey.ts'
import { messageSegments, messageWarnings, TEMPLATE_FIELDS } from '#app/domain/journeys/template.ts'
import type { LiftForm } from '#app/domain/lifts/lift-form.ts'
import { askInText, type TextQuestion } from '#app/domain/lifts/text-question.ts'
import { isolated } from '#app/domain/text/isolated.ts'
import { FormSection } from '#app/ui/form/form.tsx'
import { TextArea, TextInput } from '#app/ui/form/text-input.tsx'

type MessageFieldsProps = {
  fields: ReturnType<typeof useForm<z.input<typeof LiftForm>>>[1]
  journey: Pick<Journey, 'name'>
  /** The question, if the text can include it. */
  question: TextQuestion | null
}

export function MessageFields({ fields, journey, question }: MessageFieldsProps) {
  return (
    <FormSection title="Message" help={`Fields: ${TEMPLATE_FIELDS.map((name) => `{{${name}}}`).join(' ')}`}>
      <TextInput field={fields.title} label="Title" />
      <TextArea
        field={fields.sms_text}
        label="Message"
        rows={3}
        help={
          <>
            <Segments
              text={fields.sms_text.value}
              names={{ journey: journey.name, lift: fields.title.value ?? '' }}
            />
            <Asked question={question} />
          </>
        }
      />
      <TextInput
        field={fields.email_subject}
        label="Subject of the e-mail"
        help="Leave blank to use the journey name and title."
      />
    </FormSection>
  )
}

/** Shows the question that the text includes, if there is room. */
function Asked({ question }: { question: TextQuestion | null }) {
  if (!question) return null
  return (
    <>
      {' '}
      Texts with room for it also ask the question, and a reply answers it: “{isolated(askInText(question))}”
    </>
  )
}

/** Counts during typing with JavaScript; otherwise shows the saved text's count. */
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
      About {segments} {segments === 1 ? 'text' : 'texts'} ({remaining} characters left; max. 3
      {encoding === 'UCS-2' ? '; emoji and special letters leave less room' : ''}). We add the link if you
      leave it out.
      {messageWarnings(text).map((warning) => (
        <strong key={warning}> {warning}</strong>
      ))}
    </>
  )
}
