/** The message of a lift, with the length of its text. */
import type { useForm } from '@conform-to/react'
import type { z } from 'zod'
import type { Journey } from '#app/domain/journeys/journey.ts'
import type { SegmentCount } from '#app/domain/journeys/segments.ts'
import { messageWarnings, TEMPLATE_FIELDS } from '#app/domain/journeys/template.ts'
import type { LiftForm } from '#app/domain/lifts/lift-form.ts'
import { askInText, type TextQuestion } from '#app/domain/lifts/text-question.ts'
import { textLengths } from '#app/domain/sending/lift-text.ts'
import { isolated } from '#app/domain/text/isolated.ts'
import { FormSection } from '#app/ui/form/form.tsx'
import { TextArea, TextInput } from '#app/ui/form/text-input.tsx'

/** Who texts the lift, and whether the links sign learners in. */
export type Sender = { company: string; signsIn: boolean }

type MessageFieldsProps = {
  fields: ReturnType<typeof useForm<z.input<typeof LiftForm>>>[1]
  journey: Pick<Journey, 'name'>
  /** The question, if the text can include it. */
  question: TextQuestion | null
  sender: Sender
}

export function MessageFields({ fields, journey, question, sender }: MessageFieldsProps) {
  const names = { journey: journey.name, lift: fields.title.value ?? '' }
  return (
    <FormSection title="Message" help={`Fields: ${TEMPLATE_FIELDS.map((name) => `{{${name}}}`).join(' ')}`}>
      <TextInput field={fields.title} label="Title" />
      <TextArea
        field={fields.sms_text}
        label="Message"
        rows={3}
        help={<Lengths text={fields.sms_text.value} {...{ names, question, ...sender }} />}
      />
      <TextInput
        field={fields.email_subject}
        label="Subject of the e-mail"
        help="Leave blank to use the journey name and title."
      />
    </FormSection>
  )
}

type LengthsProps = Parameters<typeof textLengths>[1] & { text: string | undefined }

/** Counts during typing with JavaScript; otherwise shows the saved text's count. */
function Lengths({ text = '', ...about }: LengthsProps) {
  const { usual, first, asked } = textLengths(text, about)
  const { question } = about
  return (
    <>
      About {inTexts(usual)} ({usual.remaining} characters left; max. 3
      {usual.encoding === 'UCS-2' ? '; emoji and special letters leave less room' : ''}). We add the link if
      you leave it out. The first text to a phone also says who writes and how to stop: about {inTexts(first)}
      .
      {messageWarnings(text).map((warning) => (
        <strong key={warning}> {warning}</strong>
      ))}
      {question && asked ? (
        <>
          {' '}
          Texts with room for it also ask the question (then about {inTexts(asked)}), and a reply answers it:
          “{isolated(askInText(question))}”
        </>
      ) : null}
    </>
  )
}

const inTexts = ({ segments }: SegmentCount) => `${segments} ${segments === 1 ? 'text' : 'texts'}`
