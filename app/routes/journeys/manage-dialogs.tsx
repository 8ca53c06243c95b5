/** The dialogs that duplicate a journey and bring one in from a file. */
import { getFormProps, type SubmissionResult, useForm } from '@conform-to/react'
import type { Journey } from '#app/domain/journeys/journey.ts'
import { DuplicateForm } from '#app/domain/journeys/journey-form.ts'
import type { ImportResult } from '#app/domain/running/documents/document.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { Modal } from '#app/ui/dialog.tsx'
import { CheckboxInput, FormErrors, SubmitButton, TextInput } from '#app/ui/form.tsx'
import { parseForm } from '#app/ui/parse-form.ts'
import { Form } from '#app/ui/place-form.tsx'

type DialogProps = { journey: Journey; closeHref: string; lastResult: SubmissionResult<string[]> | null }

export function DuplicateJourney({ journey, closeHref, lastResult }: DialogProps) {
  const [form, fields] = useForm({
    id: 'duplicate',
    defaultValue: {
      name: `${journey.name.slice(0, 113)} (copy)`,
      lifts: true,
      objectives: true,
      assessments: true,
    },
    lastResult,
    defaultNoValidate: false,
    shouldRevalidate: 'onInput',
    onValidate: ({ formData }) => parseForm(formData, DuplicateForm),
  })
  return (
    <Modal title={`Duplicate ${journey.name}`} closeHref={closeHref}>
      <Form method="post" {...getFormProps(form)} className="stack">
        <FormErrors form={form} />
        <TextInput field={fields.name} label="Name of the new draft" maxLength={120} required />
        <CheckboxInput field={fields.lifts} label="With its lifts and questions" />
        <CheckboxInput field={fields.objectives} label="With its learning objectives" />
        <CheckboxInput field={fields.assessments} label="With its assessments" />
        <p className="people-mail">Participants and answers stay where they are.</p>
        <div className="dialog-actions">
          <ButtonLink to={closeHref} variant="soft" color="gray">
            Cancel
          </ButtonLink>
          <SubmitButton intent="duplicate">Duplicate</SubmitButton>
        </div>
      </Form>
    </Modal>
  )
}

export type ImportAnswer = { looked?: ImportResult; text?: string; problem?: string }

export function ImportJourney({
  answered,
  closeHref,
}: {
  answered: ImportAnswer | undefined
  closeHref: string
}) {
  const { looked, text, problem } = answered ?? {}
  const isRight = looked !== undefined && !looked.problems.some((one) => one.severity === 'error')
  return (
    <Modal title="Import a journey" closeHref={closeHref} size="large">
      <Form method="post" encType="multipart/form-data" className="stack">
        {problem ? (
          <p className="field-errors" role="alert">
            {problem}
          </p>
        ) : null}
        {looked ? <Report {...looked} /> : null}
        {looked ? null : (
          <p className="field-help">
            The file of a whole journey, as “Export” beside another journey gives it. It is checked first;
            nothing is created before you have seen the result.
          </p>
        )}
        <label className="field">
          <span className="field-label">File</span>
          {/* Emptied once it was read: what is corrected below would lose to it. */}
          <input
            key={text}
            className="input input-file"
            type="file"
            name="file"
            accept=".md,text/markdown,text/plain"
          />
        </label>
        <label className="field">
          <span className="field-label">Or its text</span>
          <textarea
            key={text}
            className="input input-area"
            name="text"
            rows={12}
            defaultValue={text}
            spellCheck={false}
          />
        </label>
        {isRight ? <input type="hidden" name="sure" value="true" /> : null}
        <div className="dialog-actions">
          <ButtonLink to={closeHref} variant="soft" color="gray">
            Cancel
          </ButtonLink>
          <SubmitButton intent="import">{isRight ? 'Create the draft' : 'Check the file'}</SubmitButton>
        </div>
      </Form>
    </Modal>
  )
}

const count = (number: number, thing: string) => `${number} ${thing}${number === 1 ? '' : 's'}`

function Report({ problems, name, lifts, prompts, objectives }: ImportResult) {
  return (
    <div className="stack" role="status">
      {name ? (
        <p>
          <strong>{name}</strong>: {count(lifts, 'lift')}, {count(prompts, 'question')},{' '}
          {count(objectives, 'learning objective')}
        </p>
      ) : null}
      {problems.some((one) => one.severity === 'error') ? (
        <p className="field-errors">Nothing was created. Please correct the text below:</p>
      ) : null}
      {problems.length > 0 ? (
        <ul className="problems">
          {problems.map(({ line, severity, message }) => (
            <li key={`${line} ${message}`}>
              {severity === 'error' ? <strong>Line {line}: </strong> : `Line ${line}, advice: `}
              {message}
            </li>
          ))}
        </ul>
      ) : (
        <p>Nothing is wrong in this file.</p>
      )}
    </div>
  )
}
