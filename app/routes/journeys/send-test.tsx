/** A lift as it is saved now, sent to phones that its author names. */
import { getFormProps, type SubmissionResult, useForm } from '@conform-to/react'
import { useActionData } from '@remix-run/react'
import type { Lift } from '#app/domain/lifts/lift.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { Modal } from '#app/ui/dialog.tsx'
import { FormErrors, SubmitButton, TextArea } from '#app/ui/form.tsx'
import { Form } from '#app/ui/place-form.tsx'

type SendTestProps = {
  lift: Pick<Lift, 'title'>
  /** Of one drawing of the page: pressed twice, it sends once. */
  submissionKey: string
  backHref: string
  lastResult: SubmissionResult<string[]> | null
}

export function SendTest({ lift, submissionKey, backHref, lastResult }: SendTestProps) {
  const { sent } = useActionData<{ sent?: string[] }>() ?? {}
  const typed = lastResult?.initialValue?.phones
  const [form, fields] = useForm<{ phones: string }>({
    id: 'test',
    defaultValue: { phones: typeof typed === 'string' ? typed : '' },
    lastResult: lastResult?.status === 'error' ? lastResult : null,
    defaultNoValidate: false,
  })
  return (
    <Modal title={`Send a test of “${lift.title}”`} closeHref={backHref}>
      <Form method="post" preventScrollReset {...getFormProps(form)} className="stack">
        <FormErrors form={form} labels={{ phones: 'Phone numbers' }} />
        {sent ? (
          <div role="status">
            <ul className="problems">
              {sent.map((phone) => (
                <li key={phone}>{phone}: on its way.</li>
              ))}
            </ul>
          </div>
        ) : null}
        <input type="hidden" name="key" value={submissionKey} />
        <TextArea
          field={fields.phones}
          label="Phone numbers"
          rows={5}
          help="One on each line, at most 5, with the code of the country. Each gets the message as it is saved now, with “[Test]” before it."
        />
        <div className="dialog-actions">
          <ButtonLink to={backHref} variant="soft" color="gray">
            Back to the lift
          </ButtonLink>
          <SubmitButton intent="send-test">Send the test</SubmitButton>
        </div>
      </Form>
    </Modal>
  )
}
