import type { SubTenantRow } from '#app/domain/tenants/sub-tenant.ts'
import { Button, ButtonLink } from '#app/ui/button.tsx'
import { Day } from '#app/ui/day.tsx'
import { Form } from '#app/ui/form/scoped-form.tsx'
import { NameLink, StatusBadge } from '#app/ui/list/list-cells.tsx'
import type { Column } from '#app/ui/list/table.tsx'

type Choice = Pick<SubTenantRow, 'id' | 'name' | 'logo' | 'status'>

/** `edit`: the URL of a row's form, for people who may change it. `fields`: posted with its id when it is entered. */
type Doing = {
  edit: ((row: Choice) => string) | null
  action: string
  fields: Record<string, string>
  /** The current sub-tenant. */
  current?: string | null
  /** Where those who may change it are led to its people. */
  people?: (row: Choice) => string
}

export function choiceColumns(doing: Doing): Column<Choice>[] {
  return [nameColumn(doing.edit), actionsColumn(doing)]
}

export function subTenantColumns(doing: Doing): Column<SubTenantRow>[] {
  return [
    { ...nameColumn(doing.edit), sortable: true },
    { key: 'status', label: 'Status', sortable: true, render: (row) => <StatusBadge status={row.status} /> },
    { key: 'timezone', label: 'Time zone', render: (row) => row.timezone ?? 'As the company' },
    { key: 'date', label: 'Created', sortable: true, render: (row) => <Day at={row.created_on} /> },
    actionsColumn(doing),
  ]
}

const nameColumn = (edit: Doing['edit']): Column<Choice> => ({
  key: 'name',
  label: 'Name',
  render: (row) => <NameLink to={edit?.(row) ?? null} name={row.name} logo={row.logo} />,
})

const actionsColumn = ({ edit, action, fields, current, people }: Doing): Column<Choice> => ({
  key: 'actions',
  label: 'Actions',
  hideLabel: true,
  render: (row) => (
    <div className="row-actions">
      {edit ? (
        <ButtonLink to={edit(row)} variant="soft" color="gray" size="1">
          Edit<span className="hidden-words"> {row.name}</span>
        </ButtonLink>
      ) : null}
      {edit && people ? (
        <ButtonLink to={people(row)} variant="soft" color="gray" size="1">
          People<span className="hidden-words"> of {row.name}</span>
        </ButtonLink>
      ) : null}
      <Form method="post" action={action}>
        {Object.entries({ ...fields, sub_tenant_id: row.id }).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <Button
          type="submit"
          variant="soft"
          size="1"
          disabled={row.status !== 'active' || row.id === current}
        >
          Go to the Platform<span className="hidden-words"> as {row.name}</span>
        </Button>
      </Form>
    </div>
  ),
})
