/** Rows for new administrators. Adding and removing a row works as a plain post. */
import type { FieldMetadata, FormMetadata } from '@conform-to/react'
import { fullName } from '#app/domain/text/full-name.ts'
import { Button } from '#app/ui/button.tsx'
import { TextInput } from './text-input.tsx'
import { useRows } from './use-rows.ts'

type Row = { first_name?: string | undefined; last_name?: string | undefined; email?: string | undefined }

type AdminsInputProps<Schema extends Record<string, unknown>> = {
  form: FormMetadata<Schema>
  field: FieldMetadata<Row[] | undefined>
  /** The existing administrators. */
  present: readonly {
    id: number
    first_name: string
    last_name: string
    email: string
    activation_status: string
  }[]
}

export function AdminsInput<Schema extends Record<string, unknown>>({
  form,
  field,
  present,
}: AdminsInputProps<Schema>) {
  const rows = field.getFieldList()
  const box = useRows(rows.length)
  return (
    <>
      {present.length > 0 ? (
        <ul className="people">
          {present.map((admin) => (
            <li key={admin.id}>
              {fullName(admin)} <span className="quiet">{admin.email}</span>
              {admin.activation_status === 'invited' ? <span className="quiet"> (invited)</span> : null}
            </li>
          ))}
        </ul>
      ) : null}
      {rows.map((row, index) => {
        const { first_name, last_name, email } = row.getFieldset()
        return (
          <fieldset key={row.key} className="form-row">
            <legend className="field-label">New administrator {rows.length > 1 ? index + 1 : ''}</legend>
            <TextInput field={first_name} label="First name" autoComplete="off" />
            <TextInput field={last_name} label="Last name" autoComplete="off" />
            <TextInput field={email} label="Work e-mail" type="email" autoComplete="off" />
            <Button variant="soft" color="gray" {...form.remove.getButtonProps({ name: field.name, index })}>
              Remove<span className="hidden-words"> new administrator {index + 1}</span>
            </Button>
          </fieldset>
        )
      })}
      <div ref={box}>
        <Button variant="soft" {...form.insert.getButtonProps({ name: field.name })}>
          Add an administrator
        </Button>
      </div>
    </>
  )
}
