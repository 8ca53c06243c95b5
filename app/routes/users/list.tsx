import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData, useSearchParams } from '@remix-run/react'
import { listUsers } from '#app/api/contract/people/users.ts'
import { may } from '#app/domain/access/permissions.ts'
import { parseOrder } from '#app/domain/page.ts'
import { USER_ORDERS } from '#app/domain/users/user.ts'
import { readUserSearch } from '#app/domain/users/user-search.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { FilterBar } from '#app/ui/list/filter-bar.tsx'
import { listAddress, useRowAddress } from '#app/ui/list/list-place.ts'
import { PagedTable } from '#app/ui/list/paged-table.tsx'
import { Page } from '#app/ui/page.tsx'
import { actOnMany, sayNobody } from './bulk.server.ts'
import { isBulkAction, questionOf, readSelected } from './bulk.ts'
import { BulkBar, BulkQuestion } from './bulk-bar.tsx'
import { requirePeople } from './guard.server.ts'
import { userColumns } from './list-parts.tsx'
import { chipsOf, LISTED, toListed } from './listed.server.ts'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.ask ? questionOf(data.ask, data.selected) : 'User Management'} · Liftwell` },
]

export async function loader(args: LoaderFunctionArgs) {
  const { api, actor } = await requireDashboard(args)
  const params = new URL(args.request.url).searchParams
  const search = readUserSearch(params)
  const { order, ...wanted } = search
  const manages = may(actor, 'users:edit')
  const selected = readSelected(params.getAll('user_ids'))
  const asked = params.get('ask')
  const ask = manages && isBulkAction(asked) ? asked : null
  if (ask && selected.length === 0) throw await sayNobody(listAddress('/users', params))
  const users = await api(listUsers, { ...wanted, ...parseOrder(order, USER_ORDERS) })
  return {
    users: { ...users, data: users.data.map(toListed) },
    search,
    selected,
    ask,
    manages,
    adds: may(actor, 'users:create'),
    listed: LISTED,
    chips: chipsOf(users, search),
  }
}

export async function action(args: ActionFunctionArgs) {
  const { api } = await requirePeople(args, 'users:edit')
  const back = listAddress('/users', new URL(args.request.url).searchParams)
  return actOnMany(api, await args.request.formData(), back)
}

export default function ListUsers() {
  const { users, search, selected, ask, manages, adds, listed, chips } = useLoaderData<typeof loader>()
  const rowAddress = useRowAddress()
  return (
    <Page
      title="User Management"
      lead={`Your colleagues and their roles${search.order.startsWith('name:') ? ', by last name' : ''}.`}
      action={manages && adds ? <ListActions /> : undefined}
    >
      <FilterBar q={search.q} placeholder="Search by name, e-mail or department" chips={chips} />
      <PagedTable
        caption="People"
        columns={userColumns(listed, manages ? selected : null, rowAddress)}
        list={users}
        order={search.order}
        empty={emptyWords(search)}
      >
        {manages ? <BulkBar /> : null}
      </PagedTable>
      {ask ? <BulkQuestion ask={ask} selected={selected} users={users.data} /> : null}
    </Page>
  )
}

/** Only a visitor of a brand-new company sees an empty list. */
function emptyWords({ page: _, order: __, ...filters }: ReturnType<typeof readUserSearch>) {
  if (Object.values(filters).some((chosen) => chosen.length > 0))
    return { hint: 'Nobody matches this search. Clear it to see everyone.' }
  return { title: 'Nobody yet', hint: 'Add the first person, or import a list of them.' }
}

/** The file contains the people of the filtered list, of all pages. */
function ListActions() {
  const [search] = useSearchParams()
  const link = useRowAddress()
  const wanted = new URLSearchParams([...search].filter(([name]) => name !== 'page'))
  return (
    <>
      <a
        className="rt-reset rt-BaseButton rt-Button rt-r-size-2 rt-variant-soft"
        data-accent-color="gray"
        href={listAddress('/users/export', wanted)}
        download
      >
        Export
      </a>
      <ButtonLink to="/users/groups" variant="soft" color="gray">
        Groups
      </ButtonLink>
      <ButtonLink to={link('/users/import')} variant="soft" color="gray">
        Import
      </ButtonLink>
      <ButtonLink to={link('/users/add')}>Add user</ButtonLink>
    </>
  )
}
