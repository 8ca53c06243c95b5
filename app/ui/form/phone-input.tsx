/** A phone number in two parts: a choice of the dial code, and the rest as text. */
import type { ReactNode } from 'react'
import { FieldErrors } from './field.tsx'
import { Counter, RequiredMark, useTyped } from './field-head.tsx'

type Part = { id: string; name: string; value: string }
export type DialCodes = readonly { value: string; label: string }[]

const MAX_LETTERS = 40

type PhoneInputProps = {
  label: ReactNode
  dial: Part
  number: Part
  dialCodes: DialCodes
  errors?: string[] | undefined
  required?: boolean
  /** Whether it is the visitor's own number. */
  own?: boolean
}

export function PhoneInput({
  label,
  dial,
  number,
  dialCodes,
  errors,
  required,
  own = false,
}: PhoneInputProps) {
  const { typed, box } = useTyped(number.value)
  const errorId = `${number.id}-error`
  return (
    <div className="phone-input" data-invalid={errors ? '' : undefined}>
      <div className="field">
        <label className="field-label" htmlFor={dial.id}>
          Country code
        </label>
        <select
          key={dial.value}
          id={dial.id}
          name={dial.name}
          className="input input-select"
          autoComplete={own ? 'tel-country-code' : 'off'}
          defaultValue={dial.value}
        >
          <option value="">None</option>
          {dialCodes.map(({ value, label: words }) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
      </div>
      <div className="field" data-invalid={errors ? '' : undefined}>
        <div className="field-head">
          <label className="field-label" htmlFor={number.id}>
            {label}
            {required ? <RequiredMark /> : null}
          </label>
          <Counter max={MAX_LETTERS} value={typed} />
        </div>
        <input
          key={number.value}
          {...box}
          id={number.id}
          name={number.name}
          className="input"
          type="tel"
          inputMode="tel"
          autoComplete={own ? 'tel-national' : 'off'}
          maxLength={MAX_LETTERS}
          required={required}
          aria-invalid={errors ? true : undefined}
          aria-describedby={errors ? errorId : undefined}
        />
        <FieldErrors id={errorId} errors={errors} />
      </div>
    </div>
  )
}
