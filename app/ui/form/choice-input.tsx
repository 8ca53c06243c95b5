/** A choice out of few, all of them seen: native controls, which work before any script. */
import { FieldErrors, FieldHelp, type FieldProps, helpId, RequiredMark } from './field.tsx'

export type Option = { value: string; label: string; disabled?: boolean }
export type Options = readonly string[] | readonly Option[]

export const asOption = (option: string | Option): Option =>
  typeof option === 'string' ? { value: option, label: option } : option

/** One of few, all of them seen; `multiple` for any of them. */
export function ChoiceInput<Schema>({
  field,
  label,
  help,
  required,
  options,
  multiple = false,
}: FieldProps<Schema> & { options: Options; multiple?: boolean }) {
  const chosen = ([] as unknown[]).concat(field.initialValue ?? [])
  return (
    <fieldset
      className="field choices"
      id={field.id}
      tabIndex={-1}
      data-invalid={field.errors ? '' : undefined}
      aria-describedby={
        [help && helpId(field), field.errors && field.errorId].filter(Boolean).join(' ') || undefined
      }
    >
      <legend className="field-label">
        {label}
        {(required ?? field.required) ? <RequiredMark /> : null}
      </legend>
      {options.map(asOption).map((option) => (
        <label key={option.value} className="choice">
          <input
            className="choice-box"
            type={multiple ? 'checkbox' : 'radio'}
            name={field.name}
            form={field.formId}
            value={option.value}
            defaultChecked={chosen.includes(option.value)}
            disabled={option.disabled}
            required={!multiple && (required ?? field.required)}
          />
          <span className="choice-label">{option.label}</span>
        </label>
      ))}
      <FieldHelp id={helpId(field)}>{help}</FieldHelp>
      <FieldErrors id={field.errorId} errors={field.errors} />
    </fieldset>
  )
}
