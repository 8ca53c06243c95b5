/** The parts around the fields of a form, all of which work as a plain form post. */
import type { FormMetadata } from '@conform-to/react'
import { useNavigation } from '@remix-run/react'
import type { MouseEvent, ReactNode } from 'react'
import { Button } from '#app/ui/button.tsx'
import { useErrorTitle } from '#app/ui/frame/error-title.ts'
import { ErrorSummary } from './error-summary.tsx'
import { fieldName } from './field-names.ts'
import { useScopedAction } from './scoped-form.tsx'

type FormErrorsProps<Schema extends Record<string, unknown>> = {
  form: FormMetadata<Schema>
  /** Labels of fields that differ from their names in words. */
  labels?: Record<string, string>
  /** The title of the errors, if it is not about saving. */
  title?: string
}

/** All errors in one place, each with a link to its field. Shown and focused after a submit. */
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

type SubmitButtonProps = {
  /** The action for a page with several, or the value of the field `name`. */
  intent?: string
  name?: string
  variant?: 'solid' | 'soft' | 'surface' | 'outline' | 'ghost'
  color?: 'iris' | 'gray' | 'red'
  /** Skips the browser's validation: for going back, resending, leaving. */
  formNoValidate?: boolean
  /** For a button that posts a form whose own method is GET. */
  formMethod?: 'post'
  disabled?: boolean
  /** The label while the request is pending. */
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

/** A section: heading and help on the left, fields on the right. */
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

/** The bar with the buttons of a form: always visible on a phone. */
export function FormActions({ children }: { children: ReactNode }) {
  return <div className="form-actions">{children}</div>
}
