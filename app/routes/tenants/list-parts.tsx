import { switchAddress } from '#app/domain/tenants/switch-address.ts'
import type { ListedTenant } from '#app/domain/tenants/tenant.ts'
import { figures } from '#app/domain/text/figures.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { Day } from '#app/ui/day.tsx'
import { NameLink, StatusBadge } from '#app/ui/list/list-cells.tsx'
import { useRowAddress } from '#app/ui/list/list-place.ts'
import type { Column } from '#app/ui/list/table.tsx'

/** `counted`: the server counts people and journeys. */
export const tenantColumns = (counted: boolean): readonly Column<ListedTenant>[] => [
  {
    key: 'name',
    label: 'Name',
    sortable: true,
    render: (tenant) => <Name tenant={tenant} />,
  },
  { key: 'customer_type', label: 'Customer type', sortable: true },
  {
    key: 'status',
    label: 'Status',
    sortable: true,
    render: (tenant) => <StatusBadge status={tenant.status} />,
  },
  ...(counted ? COUNTS : []),
  { key: 'date', label: 'Created', sortable: true, render: (tenant) => <Day at={tenant.created_on} /> },
  { key: 'actions', label: 'Actions', hideLabel: true, render: (tenant) => <Actions tenant={tenant} /> },
]

const COUNTS: readonly Column<ListedTenant>[] = [
  { key: 'people', label: 'People', align: 'end', render: ({ people }) => inFigures(people) },
  {
    key: 'running_journeys',
    label: 'Running LLJs',
    align: 'end',
    render: ({ running_journeys }) => inFigures(running_journeys),
  },
]

const inFigures = (count: number | null | undefined) => (typeof count === 'number' ? figures(count) : null)

function Name({ tenant: { id, name, logo } }: { tenant: ListedTenant }) {
  return <NameLink to={useRowAddress()(`/tenants/edit/${id}`)} name={name} logo={logo} />
}

function Actions({ tenant }: { tenant: ListedTenant }) {
  const link = useRowAddress()
  return (
    <div className="row-actions">
      <ButtonLink to={link(`/tenants/edit/${tenant.id}`)} variant="soft" color="gray" size="1">
        Edit<span className="hidden-words"> {tenant.name}</span>
      </ButtonLink>
      {tenant.has_sub_tenants ? (
        <ButtonLink to={`/tenants/${tenant.id}/subtenants`} variant="soft" color="gray" size="1">
          Sub-tenants<span className="hidden-words"> of {tenant.name}</span>
        </ButtonLink>
      ) : null}
      {tenant.status === 'active' ? (
        <ButtonLink to={switchAddress(tenant.id)} variant="soft" size="1">
          Go to the Platform<span className="hidden-words"> as {tenant.name}</span>
        </ButtonLink>
      ) : null}
    </div>
  )
}
