/** Adds everybody of a group, a role or a sub-tenant; shares the form with the ticked people. */
import type { z } from 'zod'
import { MEMBER_ROLES } from '#app/domain/participants/member.ts'
import { GroupForm } from '#app/domain/participants/member-form.ts'
import { figures } from '#app/domain/text/figures.ts'
import type { UserGroup } from '#app/domain/users/groups/user-group.ts'
import { SelectInput } from '#app/ui/form/choice-input.tsx'
import { FormErrors, SubmitButton } from '#app/ui/form/form.tsx'
import { useSchemaForm } from '#app/ui/form/schema-form.ts'
import { inWords } from '../journey-badge.tsx'

const ROLES = [
  { value: 'user', label: 'Users' },
  { value: 'author', label: 'Authors' },
  { value: 'admin', label: 'Administrators' },
]

const inFull = ({ name, sub_tenant, people }: UserGroup): string =>
  `${name}${sub_tenant ? `, ${sub_tenant}` : ''} (${people === 1 ? '1 person' : `${figures(people)} people`})`

type AddGroupProps = {
  /** The choice in the URL, without people who were added. */
  chosen: Record<string, string | undefined>
  groups: readonly UserGroup[]
  subTenants: readonly { id: string; name: string }[]
}

/** The id of the form around it. */
export const ADDING = 'group'

export function AddGroup({ chosen, groups, subTenants }: AddGroupProps) {
  const { form, fields } = useSchemaForm(GroupForm, {
    id: ADDING,
    defaultValue: { ...chosen, role: chosen.role ?? 'learner' } as z.input<typeof GroupForm>,
  })
  const { group_id, general_role, sub_tenant_id } = form.initialValue ?? {}
  return (
    <details
      className="more"
      open={form.status === 'error' || Boolean(group_id || general_role || sub_tenant_id)}
    >
      <summary>Add by group, role or sub-tenant</summary>
      <div className="stack">
        <FormErrors form={form} />
        {groups.length > 0 ? (
          <SelectInput
            field={fields.group_id}
            label="Everyone in the group"
            options={groups.map((group) => ({ value: String(group.id), label: inFull(group) }))}
            help="Adds the people in the group now. People who join the group later aren’t added to the journey."
          />
        ) : null}
        <SelectInput field={fields.general_role} label="Everyone with the role" options={ROLES} />
        {subTenants.length > 0 ? (
          <SelectInput
            field={fields.sub_tenant_id}
            label="Everyone in the sub-tenant"
            options={subTenants.map(({ id, name }) => ({ value: id, label: name }))}
          />
        ) : null}
        <SelectInput
          field={fields.role}
          label="Add as"
          options={MEMBER_ROLES.map((value) => ({ value, label: inWords(value) }))}
        />
        <div>
          <SubmitButton intent="add-group" formMethod="post">
            Add all of them
          </SubmitButton>
        </div>
      </div>
    </details>
  )
}
