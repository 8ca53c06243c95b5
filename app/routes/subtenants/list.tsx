import {
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { listSubTenantChoices, listSubTenants } from '#app/api/contract/tenancy/sub-tenants.ts'
import { withCookies } from '#app/auth/cookies.server.ts'
import { keeper } from '#app/auth/keeper.server.ts'
import { redirectTarget } from '#app/auth/redirect-target.ts'
import { getConfig } from '#app/config.server.ts'
import { mayManageSubTenants } from '#app/domain/access/permissions.ts'
import { Refusal } from '#app/domain/errors.ts'
import { parseOrder } from '#app/domain/page.ts'
import { SUB_TENANT_ORDERS, SubTenantSearch } from '#app/domain/tenants/sub-tenant.ts'
import { hasSubTenants } from '#app/domain/tenants/tenant.ts'
import { readCurrentUser } from '#app/routes/current-user.server.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { intentOf } from '#app/routes/intent.server.ts'
import { searchOf } from '#app/routes/search-of.ts'
import { namedScope, ScopeRef } from '#app/routes/switching/named-scope.server.ts'
import { leaveForDeleted } from '#app/routes/tenants/restore.server.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { FilterBar } from '#app/ui/list/filter-bar.tsx'
import { useRowAddress } from '#app/ui/list/list-place.ts'
import { NoRows } from '#app/ui/list/no-rows.tsx'
import { Pager } from '#app/ui/list/pager.tsx'
import { DataTable } from '#app/ui/list/table.tsx'
import { Page } from '#app/ui/page.tsx'
import { choiceColumns, subTenantColumns } from './list-parts.tsx'

export const meta: MetaFunction = () => [{ title: 'Sub-tenants · Liftwell' }]

export async function loader(args: LoaderFunctionArgs) {
  const visitor = await requireDashboard(args)
  const { api, actor, should_enter_subtenant } = visitor
  const search = searchOf(args.request)
  const { page, order, q } = SubTenantSearch.parse(search)
  const wanted = redirectTarget(search.redirect)
  if (should_enter_subtenant) {
    const { data } = await api(listSubTenantChoices)
    const choices = data.filter(({ name }) => name.toLowerCase().includes(q.toLowerCase()))
    return {
      choices,
      list: null,
      order,
      q,
      manages: false,
      adds: false,
      current: null,
      wanted,
      is_ours: false,
    }
  }
  const manages = mayManageSubTenants(actor)
  if (manages) leaveForDeleted(args.request, '/subtenants/deleted')
  const query = { page, q, ...parseOrder(order, SUB_TENANT_ORDERS) }
  const [list, { current_tenant }] = await Promise.all([
    api(listSubTenants, { id: 'me' }, query),
    readCurrentUser(args, visitor),
  ])
  return {
    choices: null,
    list,
    order,
    q,
    manages,
    adds: manages && hasSubTenants(current_tenant),
    current: actor.sub_tenant_id,
    wanted,
    is_ours: !getConfig().WEB_TIER,
  }
}

/** Enters or leaves a sub-tenant, which starts a new session. */
export async function action(args: ActionFunctionArgs) {
  const visitor = await requireDashboard(args)
  const { session, actor } = visitor
  const formData = await args.request.formData()
  const intent = intentOf(formData, ['leave_sub_tenant', 'enter_sub_tenant'])
  try {
    if (intent === 'leave_sub_tenant') {
      return redirect('/subtenants', { headers: withCookies(await keeper().leaveSubTenant(session)) })
    }
    const id = ScopeRef.safeParse(formData.get('sub_tenant_id'))
    if (!id.success) throw new Refusal(404, 'Choose a sub-tenant first.')
    if (id.data === session.sub_tenant_id) throw new Refusal(409, 'You are there already.')
    const to = redirectTarget(String(formData.get('redirect') ?? ''))
    const scope = { tenant_id: actor.tenant_id, sub_tenant_id: id.data }
    const { subTenant = { id: id.data, name: '' } } = await namedScope(visitor, scope)
    return redirect(to, { headers: withCookies(await keeper().enterSubTenant(session, subTenant)) })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return redirectWithToast('/subtenants', { title: 'Error', message: error.message, variant: 'error' })
  }
}

export default function ListSubTenants() {
  const { choices, list, order, q, manages, adds, current, wanted, is_ours } = useLoaderData<typeof loader>()
  const link = useRowAddress()
  const edit = manages ? ({ id }: { id: string }) => link(`/subtenants/${id}/edit`) : null
  const doing = {
    edit,
    action: '/subtenants',
    fields: { intent: 'enter_sub_tenant', redirect: wanted },
    current,
    people: ({ id }: { id: string }) => `/users?sub_tenant_id=${id}`,
  }
  const rows = choices ?? list.data
  return (
    <Page
      title="Sub-tenants"
      lead={choices ? 'Choose where to work. You can switch at any time.' : 'The parts of the company.'}
      action={adds ? <ListActions restores={is_ours} /> : null}
    >
      <FilterBar q={q} placeholder="Search sub-tenants" />
      {rows.length === 0 ? (
        <NoRows
          pagination={list?.pagination ?? null}
          hint={q ? 'No sub-tenants match this search.' : 'No sub-tenants yet.'}
        />
      ) : null}
      {choices && choices.length > 0 ? (
        <DataTable caption="Sub-tenants" columns={choiceColumns(doing)} rows={choices} rowKey="id" />
      ) : null}
      {list && list.data.length > 0 ? (
        <DataTable
          caption="Sub-tenants"
          columns={subTenantColumns(doing)}
          rows={list.data}
          order={order}
          rowKey="id"
        />
      ) : null}
      {list ? <Pager pagination={list.pagination} /> : null}
    </Page>
  )
}

function ListActions({ restores }: { restores: boolean }) {
  const link = useRowAddress()
  return (
    <>
      {restores ? (
        <ButtonLink to="/subtenants/deleted" variant="soft" color="gray">
          Deleted
        </ButtonLink>
      ) : null}
      <ButtonLink to={link('/subtenants/add')}>Add sub-tenant</ButtonLink>
    </>
  )
}
