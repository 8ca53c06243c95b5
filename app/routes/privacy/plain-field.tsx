import type { InputHTMLAttributes } from 'react'
import { FieldErrors } from '#app/ui/form/field.tsx'

type PlainFieldProps = Pick<
  InputHTMLAttributes<HTMLInputElement>,
  'type' | 'inputMode' | 'autoComplete' | 'maxLength'
> & { id: string; name: string; label: string; value: string; error?: string | undefined }

/** One field of a form that has only this one: the server alone says what is wrong with it. */
export function PlainField({ id, name, label, value, error, ...input }: PlainFieldProps) {
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      <input
        {...input}
        className="input"
        id={id}
        name={name}
        defaultValue={value}
        key={value}
        required
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-errors` : undefined}
      />
      <FieldErrors id={`${id}-errors`} errors={error ? [error] : undefined} />
    </div>
  )
}
