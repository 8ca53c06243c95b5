/** The form for a text from one of the phones of the testing tenant. */
import { getFormProps } from '@conform-to/react'
import { TestTextForm } from '#app/domain/outbox/outbox.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { Modal } from '#app/ui/dialog.tsx'
import { FormErrors, SubmitButton } from '#app/ui/form/form.tsx'
import { useSchemaForm } from '#app/ui/form/schema-form.ts'
import { Form } from '#app/ui/form/scoped-form.tsx'
import { TextArea, TextInput } from '#app/ui/form/text-input.tsx'
import { PHONE_WORDS } from './phone-words.ts'

export function AnswerAsPhone({ phone, closeHref }: { phone: string; closeHref: string }) {
  const { form, fields } = useSchemaForm(TestTextForm, {
    id: 'phone',
    defaultValue: { from: phone, text: '' },
  })
  return (
    <Modal title="Answer as a phone" closeHref={closeHref}>
      <Form method="post" {...getFormProps(form)} className="section">
        <FormErrors form={form} labels={LABELS} />
        <input type="hidden" name="intent" value="text" />
        <TextInput
          field={fields.from}
          label={LABELS.from}
          type="tel"
          inputMode="tel"
          help="With the country code: +43 660 1112223."
        />
        <TextArea
          field={fields.text}
          label={LABELS.text}
          rows={3}
          help="STOP with the code of a journey leaves that journey. A reply to a lift's text can be its answer."
        />
        <div className="dialog-actions">
          <ButtonLink to={closeHref} variant="soft" color="gray">
            Close
          </ButtonLink>
          <SubmitButton>Send text</SubmitButton>
        </div>
        <p className="row-actions row-actions-start">
          Or at once:
          {PHONE_WORDS.map((word) => (
            <SubmitButton key={word} name="word" intent={word} variant="soft" formNoValidate>
              {word}
            </SubmitButton>
          ))}
        </p>
      </Form>
    </Modal>
  )
}

const LABELS = { from: 'Number of the phone', text: 'Text' }
