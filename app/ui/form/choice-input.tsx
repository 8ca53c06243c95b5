/** Choices as native controls, which work without scripts. */
import { getInputProps, getSelectProps } from '@conform-to/react'
import { describedBy, Field, FieldErrors, FieldHelp, type FieldProps, helpId } from './field.tsx'
import { RequiredMark } from './field-head.tsx'

export type Option = { value: string; label: string; disabled?: boolean }
export type Options = readonly string[] | readonly Option[]

export const asOption = (option: string | Option): Option =>
  typeof option === 'string' ? { value: option, label: option } : option

/** Radio buttons for one of few options; with `multiple`, checkboxes for any number. */
export function ChoiceInput<Schema>({
  field,
  label,
  help,
  required,
  options,
  multiple = false,
  groupName,
}: FieldProps<Schema> & {
  options: Options
  multiple?: boolean
  /** The name of the group itself, which is not sent. */
  groupName?: string
}) {
  const chosen = ([] as unknown[]).concat(field.initialValue ?? [])
  return (
    <fieldset
      className="field choices"
      id={field.id}
      name={groupName}
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

/** A select for one of many options. */
export function SelectInput<Schema>({
  field,
  label,
  help,
  required,
  options,
  placeholder = 'Choose…',
}: FieldProps<Schema> & { options: Options; placeholder?: string }) {
  const { key, ...attributes } = getSelectProps(field, describedBy(field, help))
  return (
    <Field field={field} label={label} help={help} {...(required === undefined ? {} : { required })}>
      <select key={key} className="input input-select" {...attributes} {...(required ? { required } : {})}>
        {field.multiple ? null : <option value="">{placeholder}</option>}
        {options.map(asOption).map((option) => (
          <option key={option.value} value={option.value} disabled={option.disabled}>
            {option.label}
          </option>
        ))}
      </select>
    </Field>
  )
}

/** A checkbox for yes or no. */
export function CheckboxInput<Schema>({ field, label, help }: FieldProps<Schema>) {
  const { key, ...attributes } = getInputProps(field, { type: 'checkbox', ...describedBy(field, help) })
  return (
    <div className="field" data-invalid={field.errors ? '' : undefined}>
      <label className="choice">
        <input key={key} {...attributes} className="choice-box" />
        <span className="choice-label">{label}</span>
      </label>
      <FieldHelp id={helpId(field)}>{help}</FieldHelp>
      <FieldErrors id={field.errorId} errors={field.errors} />
    </div>
  )
}
