import type { InputHTMLAttributes } from 'react'
import { FieldErrors } from '#app/ui/form/field.tsx'
import { Counter, RequiredMark, useTyped } from '#app/ui/form/field-head.tsx'

type PlainFieldProps = Pick<
  InputHTMLAttributes<HTMLInputElement>,
  'type' | 'inputMode' | 'autoComplete' | 'maxLength'
> & { id: string; name: string; label: string; value: string; error?: string | undefined }

/** The only field of a form; errors come only from the server. */
export function PlainField({ id, name, label, value, error, ...input }: PlainFieldProps) {
  const { typed, box } = useTyped(value)
  return (
    <div className="field">
      <div className="field-head">
        <label className="field-label" htmlFor={id}>
          {label}
          <RequiredMark />
        </label>
        <Counter max={input.maxLength} value={typed} />
      </div>
      <input
        key={value}
        {...input}
        {...box}
        className="input"
        id={id}
        name={name}
        required
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-errors` : undefined}
      />
      <FieldErrors id={`${id}-errors`} errors={error ? [error] : undefined} />
    </div>
  )
}
