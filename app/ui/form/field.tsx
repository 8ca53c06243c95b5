/** The frame of every form field: label, help, errors. */
import type { FieldMetadata } from '@conform-to/react'
import type { ReactNode } from 'react'
import { useHydrated } from '#app/ui/hydrated.ts'
import { Icon } from '#app/ui/icons.tsx'
import { RequiredMark } from './field-head.tsx'

export type FieldProps<Schema> = {
  field: FieldMetadata<Schema>
  label: ReactNode
  help?: ReactNode
  /** Marks the field as required where the schema's constraint cannot. */
  required?: boolean
}

export const helpId = (field: { id: string }) => `${field.id}-help`

/** The elements for `aria-describedby`: the help, and the errors if there are any. */
export const describedBy = (field: { id: string }, help: ReactNode) =>
  help ? { ariaDescribedBy: helpId(field) } : {}

export function FieldHelp({ id, children }: { id: string; children: ReactNode }) {
  if (!children) return null
  return (
    <div className="field-help" id={id}>
      {children}
    </div>
  )
}

export function FieldErrors({ id, errors }: { id: string; errors: string[] | undefined }) {
  if (!errors?.length) return null
  return (
    <div className="field-errors" id={id}>
      {errors.map((error) => (
        <p key={error}>
          <Icon name="error" size={16} />
          <span>{error}</span>
        </p>
      ))}
    </div>
  )
}

/** A label above, the control, help and errors under it. */
export function Field<Schema>({
  field,
  label,
  help,
  required,
  aside,
  children,
}: FieldProps<Schema> & { aside?: ReactNode; children: ReactNode }) {
  return (
    <div className="field" data-invalid={field.errors ? '' : undefined}>
      <div className="field-head">
        <label className="field-label" htmlFor={field.id}>
          {label}
          {(required ?? field.required) ? <RequiredMark /> : null}
        </label>
        {aside}
      </div>
      {children}
      <FieldHelp id={helpId(field)}>{help}</FieldHelp>
      <FieldErrors id={field.errorId} errors={field.errors} />
    </div>
  )
}

export function ShowButton({ shown, onClick }: { shown: boolean; onClick: () => void }) {
  if (!useHydrated()) return null
  return (
    <button type="button" className="input-button" onClick={onClick}>
      <Icon name={shown ? 'eye-off' : 'eye'} />
      <span className="hidden-words">{shown ? 'Hide password' : 'Show password'}</span>
    </button>
  )
}
