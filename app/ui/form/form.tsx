/** The parts of a form. Every one of them works as a plain form post. */
import { type FormMetadata, getInputProps, getTextareaProps } from '@conform-to/react'
import { Button } from '@radix-ui/themes'
import { useNavigation } from '@remix-run/react'
import { type MouseEvent, type ReactNode, useState } from 'react'
import { useErrorTitle } from '#app/ui/frame/error-title.ts'
import { ErrorSummary } from './error-summary.tsx'
import { Counter, describedBy, Field, type FieldProps, ShowButton } from './field.tsx'
import { fieldName } from './field-names.ts'
import { useScopedAction } from './scoped-form.tsx'

type FormErrorsProps<Schema extends Record<string, unknown>> = {
  form: FormMetadata<Schema>
  /** What the fields are called, where that is not their name in words. */
  labels?: Record<string, string>
  /** What has not happened, where it is not that something was saved. */
  title?: string
}

/** What is wrong, in one place, each with a link to its field. Shown after a submit, and focused then. */
export function FormErrors<Schema extends Record<string, unknown>>({
  form,
  labels = {},
  title,
}: FormErrorsProps<Schema>) {
  const submitted = form.status === 'error'
  const problems = Object.entries(form.allErrors).filter(([name]) => name !== '')
  const general = form.errors ?? []
  useErrorTitle(submitted)
  if (!submitted || problems.length + general.length === 0) return null
  return (
    <ErrorSummary
      id={form.errorId}
      title={title}
      general={general}
      problems={problems.map(([name, errors]) => ({
        fieldId: `${form.id}-${name}`,
        label: labels[name] ?? fieldName(name),
        errors: errors ?? [],
      }))}
    />
  )
}

type TextProps<Schema> = FieldProps<Schema> & {
  maxLength?: number
  autoComplete?: string
  placeholder?: string
}

type InputType = 'text' | 'email' | 'password' | 'tel' | 'url' | 'number' | 'date' | 'time' | 'datetime-local'

export function TextInput<Schema>({
  type = 'text',
  inputMode,
  spellCheck,
  ...props
}: TextProps<Schema> & {
  type?: InputType
  inputMode?: 'numeric' | 'decimal' | 'tel' | 'email'
  spellCheck?: boolean
}) {
  const { field, help, placeholder, autoComplete } = props
  const [shown, setShown] = useState(false)
  const max = props.maxLength ?? field.maxLength
  const { key, ...attributes } = getInputProps(field, {
    type: type === 'password' && shown ? 'text' : type,
    ...describedBy(field, help),
  })
  const input = (
    <input
      key={key}
      className="input"
      {...attributes}
      {...(props.required ? { required: true } : {})}
      maxLength={max}
      autoComplete={autoComplete}
      placeholder={placeholder}
      inputMode={inputMode}
      spellCheck={spellCheck}
    />
  )
  return (
    <Field {...fieldProps(props)} aside={<Counter max={max} value={field.value} />}>
      {type === 'password' ? (
        <div className="input-with-button">
          {input}
          <ShowButton shown={shown} onClick={() => setShown(!shown)} />
        </div>
      ) : (
        input
      )}
    </Field>
  )
}

export function TextArea<Schema>({ rows = 4, ...props }: TextProps<Schema> & { rows?: number }) {
  const { field, help, placeholder, autoComplete } = props
  const max = props.maxLength ?? field.maxLength
  const { key, ...attributes } = getTextareaProps(field, describedBy(field, help))
  return (
    <Field {...fieldProps(props)} aside={<Counter max={max} value={field.value} />}>
      <textarea
        key={key}
        className="input input-area"
        {...attributes}
        {...(props.required ? { required: true } : {})}
        maxLength={max}
        rows={rows}
        autoComplete={autoComplete}
        placeholder={placeholder}
      />
    </Field>
  )
}

function fieldProps<Schema>({ field, label, help, required }: FieldProps<Schema>): FieldProps<Schema> {
  return { field, label, help, ...(required === undefined ? {} : { required }) }
}

type SubmitButtonProps = {
  /** Sent with the form: which of the things that a page can do, or the value of the field `name`. */
  intent?: string
  name?: string
  variant?: 'solid' | 'soft' | 'surface' | 'outline' | 'ghost'
  color?: 'iris' | 'gray' | 'red'
  /** Skips the browser's own check: for going back, resending, leaving. */
  formNoValidate?: boolean
  /** Where the form itself only searches. */
  formMethod?: 'post'
  /** Where another button of the form leads elsewhere. */
  formAction?: string
  disabled?: boolean
  /** What it says while the answer is under way. */
  busy?: string
  children: ReactNode
}

export function SubmitButton({
  intent,
  name = 'intent',
  color,
  variant = 'solid',
  busy,
  children,
  ...rest
}: SubmitButtonProps) {
  const formAction = useScopedAction()
  const { state, formData } = useNavigation()
  const mine = formData !== undefined && (intent === undefined || formData.get(name) === intent)
  const pending = state !== 'idle' && mine
  const once = (event: MouseEvent) => {
    if (pending) event.preventDefault()
  }
  return (
    <Button
      type="submit"
      variant={variant}
      aria-busy={pending || undefined}
      onClick={once}
      {...(color ? { color } : {})}
      {...(intent ? { name, value: intent } : {})}
      {...(rest.formMethod ? { formAction } : {})}
      {...rest}
    >
      {pending && busy ? busy : children}
    </Button>
  )
}

/** A heading and a line of help at the left, fields at the right. */
export function FormSection({
  title,
  help,
  children,
}: {
  title: string
  help?: ReactNode
  children: ReactNode
}) {
  return (
    <section className="form-section">
      <div className="form-section-head">
        <h2 className="form-section-title">{title}</h2>
        {help ? <p className="form-section-help">{help}</p> : null}
      </div>
      <div className="form-section-fields">{children}</div>
    </section>
  )
}

/** The bar at the end of a form: always in reach on a phone. */
export function FormActions({ children }: { children: ReactNode }) {
  return <div className="form-actions">{children}</div>
}
