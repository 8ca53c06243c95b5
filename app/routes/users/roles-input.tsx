/** Rows of roles. Adding and removing a row works as a plain post. */
import type { FieldMetadata, FormMetadata } from '@conform-to/react'
import { USER_ROLES } from '#app/domain/users/user.ts'
import { Button } from '#app/ui/button.tsx'
import { SelectInput } from '#app/ui/form/choice-input.tsx'
import { FieldErrors } from '#app/ui/form/field.tsx'
import { useRows } from '#app/ui/form/use-rows.ts'

export type RoleScopes = {
  subTenants: readonly { id: string; name: string }[]
  /** The sub-tenant that all roles are for; null in the whole tenant. */
  within: string | null
}

export type Row = { role: (typeof USER_ROLES)[number]; sub_tenant_id?: string | null | undefined }

type RolesInputProps<Schema extends Record<string, unknown>> = RoleScopes & {
  form: FormMetadata<Schema>
  field: FieldMetadata<Row[] | undefined>
}

const labelOf = (role: string) => role.charAt(0).toUpperCase() + role.slice(1)
const ROLE_OPTIONS = USER_ROLES.map((role) => ({ value: role, label: labelOf(role) }))

/** The same words for the same roles, in whatever order. */
export const rolesInWords = (roles: readonly Row[], subTenants: RoleScopes['subTenants']): string =>
  roles
    .map(({ role, sub_tenant_id }) => {
      const place = subTenants.find(({ id }) => id === sub_tenant_id)?.name ?? CLOSED
      return sub_tenant_id ? `${labelOf(role)} in ${place}` : labelOf(role)
    })
    .sort()
    .join(', ')

const CLOSED = 'A closed sub-tenant'

export function RolesInput<Schema extends Record<string, unknown>>({
  form,
  field,
  subTenants,
  within,
}: RolesInputProps<Schema>) {
  const rows = field.getFieldList()
  const box = useRows(rows.length)
  const defaultValue = { role: 'user', ...(within ? { sub_tenant_id: within } : {}) }
  return (
    <>
      {rows.map((row, index) => {
        const { role, sub_tenant_id } = row.getFieldset()
        return (
          <fieldset key={row.key} className="form-row">
            <legend className="field-label">Role {rows.length > 1 ? index + 1 : ''}</legend>
            <SelectInput field={role} label="Role" options={ROLE_OPTIONS} required />
            <ScopeInput field={sub_tenant_id} subTenants={subTenants} within={within} />
            {rows.length > 1 ? (
              <Button
                variant="soft"
                color="gray"
                {...form.remove.getButtonProps({ name: field.name, index })}
              >
                Remove<span className="hidden-words"> role {index + 1}</span>
              </Button>
            ) : null}
          </fieldset>
        )
      })}
      <FieldErrors id={field.errorId} errors={field.errors} />
      <div ref={box}>
        <Button
          variant="soft"
          {...form.insert.getButtonProps({ name: field.name, defaultValue: defaultValue as never })}
        >
          Add a role
        </Button>
      </div>
    </>
  )
}

/** The place of the role: the whole tenant, or one of its sub-tenants. */
function ScopeInput({
  field,
  subTenants,
  within,
}: RoleScopes & { field: FieldMetadata<string | null | undefined> }) {
  if (within) return <input type="hidden" name={field.name} value={within} />
  const own = field.initialValue
  const isOther = own !== undefined && own !== '' && !subTenants.some(({ id }) => id === own)
  if (subTenants.length === 0 && !isOther) return null
  const options = subTenants.map(({ id, name }) => ({ value: id, label: name }))
  return (
    <SelectInput
      field={field}
      label="Where"
      placeholder="The whole company"
      options={isOther ? [...options, { value: own, label: CLOSED }] : options}
    />
  )
}
