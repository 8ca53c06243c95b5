import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { Link, useLoaderData, useRouteLoaderData } from '@remix-run/react'
import { ROLES } from '#app/domain/access/actor.ts'
import { pageOf, parseOrder } from '#app/domain/page.ts'
import { USER_ORDERS, USER_ROLES, User, UserSearch } from '#app/domain/users/user.ts'
import type { loader as frameLoader } from '#app/routes/dashboard/layout.tsx'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { Badge, type Tone } from '#app/ui/badge.tsx'
import { Day } from '#app/ui/day.tsx'
import { Empty } from '#app/ui/empty.tsx'
import { FilterBar } from '#app/ui/filter-bar.tsx'
import { Page } from '#app/ui/page.tsx'
import { Pager } from '#app/ui/pager.tsx'
import { type Column, DataTable } from '#app/ui/table.tsx'

export const meta: MetaFunction = () => [{ title: 'User Management · Liftwell' }]

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requireDashboard(args)
  const search = readSearch(new URL(args.request.url).searchParams)
  const { page, order, q, role } = search
  const users = await api.get('/users', pageOf(User), { page, q, role, ...parseOrder(order, USER_ORDERS) })
  return { users, search }
}

function readSearch(params: URLSearchParams) {
  const roles = params.getAll('role').filter((role) => USER_ROLES.some((known) => known === role))
  return UserSearch.parse({ ...Object.fromEntries(params), role: roles })
}

const STATUS_TONES: Record<User['activation_status'], Tone> = {
  active: 'success',
  invited: 'accent',
  disabled: 'neutral',
}
const CHOSEN_ROLES = ROLES.filter((role) => role !== 'super_admin')
const ROLE_CHIPS = [
  {
    name: 'role',
    legend: 'Role',
    options: CHOSEN_ROLES.map((role) => ({ value: role, label: inWords(role) })),
  },
]
const columns = (zone: string): readonly Column<User>[] => [
  {
    key: 'name',
    label: 'Name',
    sortable: true,
    render: (user) => <Link to={`/users/edit/${user.id}`}>{user.name}</Link>,
  },
  { key: 'email', label: 'E-mail', sortable: true },
  { key: 'job_title', label: 'Job title' },
  { key: 'roles', label: 'Roles', render: (user) => rolesOf(user).join(', ') },
  {
    key: 'status',
    label: 'Status',
    sortable: true,
    render: ({ activation_status: status }) => <Badge tone={STATUS_TONES[status]}>{inWords(status)}</Badge>,
  },
  { key: 'date', label: 'Added', sortable: true, render: (user) => <Day at={user.created_on} zone={zone} /> },
]

export default function ListUsers() {
  const { users, search } = useLoaderData<typeof loader>()
  const frame = useRouteLoaderData<typeof frameLoader>('routes/dashboard/layout')
  const zone = frame?.user.timezone ?? frame?.user.current_tenant.timezone ?? 'UTC'
  return (
    <Page title="User Management" lead="The people of your company: who they are and what they may do.">
      <FilterBar q={search.q} placeholder="Search by name or e-mail" chips={ROLE_CHIPS} />
      {users.data.length > 0 ? (
        <DataTable
          caption="People"
          columns={columns(zone)}
          rows={users.data}
          order={search.order}
          rowKey="id"
        />
      ) : (
        <Empty title="No results" hint="Nobody matches this search. Clear it to see everybody." />
      )}
      <Pager pagination={users.pagination} />
    </Page>
  )
}

const rolesOf = (user: User): string[] => [
  ...new Set(user.user_general_roles.map(({ role }) => inWords(role))),
]

function inWords(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}
