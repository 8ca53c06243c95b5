import { getInputProps } from '@conform-to/react'
import { describedBy, Field, type FieldProps } from './field.tsx'

export function FileInput<Schema>({
  field,
  label,
  help,
  required,
  accept,
}: FieldProps<Schema> & { accept: string }) {
  const { key, ...attributes } = getInputProps(field, { type: 'file', ...describedBy(field, help) })
  return (
    <Field field={field} label={label} help={help} {...(required === undefined ? {} : { required })}>
      <input key={key} className="input input-file" {...attributes} accept={accept} />
    </Field>
  )
}
