/** Text fields. */
import { getInputProps, getTextareaProps } from '@conform-to/react'
import { useState } from 'react'
import { describedBy, Field, type FieldProps, ShowButton } from './field.tsx'
import { Counter } from './field-head.tsx'

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
  const max = type === 'date' ? undefined : (props.maxLength ?? field.maxLength)
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
      // Browsers accept only whole numbers without a step.
      {...(type === 'number' && inputMode === 'decimal' ? { step: 'any' } : {})}
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
