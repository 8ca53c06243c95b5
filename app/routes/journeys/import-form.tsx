/** The form of an import that is checked first: a file, or the same as text. */
import type { ReactNode } from 'react'
import { ButtonLink } from '#app/ui/button.tsx'
import { FormActions, SubmitButton } from '#app/ui/form/form.tsx'
import { Form } from '#app/ui/form/scoped-form.tsx'
import type { ImportAnswer } from './check-import.server.ts'

type ImportFormProps<Report> = {
  answer: ImportAnswer<Report> | undefined
  accept: string
  rows: number
  /** Shown instead of a report before anything was checked. */
  help?: ReactNode
  report(found: Report): ReactNode
  /** The labels of the two steps. */
  check: string
  carryOut: string
  back: { to: string; label: string }
}

export function ImportForm<Report>(props: ImportFormProps<Report>) {
  const { accept, rows, help, back, check, carryOut } = props
  const { report, isRight, text, problem } = props.answer ?? {}
  const refused = problem ? { 'aria-invalid': true, 'aria-describedby': 'import-problem' } : {}
  return (
    <Form method="post" encType="multipart/form-data" preventScrollReset className="stack">
      {problem ? (
        <p className="field-errors" role="alert" id="import-problem">
          {problem}
        </p>
      ) : null}
      {report === undefined ? help : props.report(report)}
      {isRight ? <input type="hidden" name="sure" value="true" /> : null}
      <label className="field">
        <span className="field-label">{isRight ? 'Choose another file' : 'File'}</span>
        {/* Cleared once it was read: otherwise the file would take precedence over corrections of the text. */}
        <input key={text} {...refused} className="input input-file" type="file" name="file" accept={accept} />
      </label>
      <label className="field">
        <span className="field-label">{isRight ? 'The text as checked' : 'Or paste its text'}</span>
        <textarea
          key={text}
          {...refused}
          className="input input-area"
          name="text"
          rows={rows}
          defaultValue={text}
          spellCheck={false}
        />
      </label>
      <FormActions>
        <ButtonLink to={back.to} variant="soft" color="gray">
          {back.label}
        </ButtonLink>
        {/* Two different buttons: a double press of the first is not a press of the second while the page is
            loading. */}
        <SubmitButton intent={isRight ? 'import' : 'check'}>{isRight ? carryOut : check}</SubmitButton>
      </FormActions>
    </Form>
  )
}
