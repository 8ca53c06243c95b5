import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { listSubTenants } from '#app/api/contract/tenancy/sub-tenants.ts'
import { getTenant } from '#app/api/contract/tenancy/tenants.ts'
import { getConfig } from '#app/config.server.ts'
import { parseOrder } from '#app/domain/page.ts'
import { SUB_TENANT_ORDERS, SubTenantSearch } from '#app/domain/tenants/sub-tenant.ts'
import { isolated } from '#app/domain/text/isolated.ts'
import { encodePath } from '#app/routes/encode-path.ts'
import { requireSuperAdmin } from '#app/routes/guards.server.ts'
import { searchOf } from '#app/routes/search-of.ts'
import { subTenantColumns } from '#app/routes/subtenants/list-parts.tsx'
import { ButtonLink } from '#app/ui/button.tsx'
import { Link } from '#app/ui/link.tsx'
import { FilterBar } from '#app/ui/list/filter-bar.tsx'
import { useRowAddress } from '#app/ui/list/list-place.ts'
import { PagedTable } from '#app/ui/list/paged-table.tsx'
import { Page } from '#app/ui/page.tsx'
import { leaveForDeleted } from './restore.server.ts'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `Sub-tenants of ${isolated(data?.tenant.name ?? 'a tenant')} · Liftwell` },
]

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requireSuperAdmin(args)
  leaveForDeleted(args.request, encodePath`/tenants/${args.params.tenantId}/subtenants/deleted`)
  const { page, order, q } = SubTenantSearch.parse(searchOf(args.request))
  const query = { page, q, ...parseOrder(order, SUB_TENANT_ORDERS) }
  const [tenant, list] = await Promise.all([
    api(getTenant, { id: args.params.tenantId }),
    api(listSubTenants, { id: args.params.tenantId }, query),
  ])
  return { tenant, list, order, q, is_ours: !getConfig().WEB_TIER }
}

export default function ListSubTenantsOfTenant() {
  const { tenant, list, order, q, is_ours } = useLoaderData<typeof loader>()
  const base = `/tenants/${tenant.id}/subtenants`
  const link = useRowAddress()
  const columns = subTenantColumns({
    edit: ({ id }) => link(`${base}/${id}/edit`),
    action: '/tenants',
    fields: { intent: 'impersonate', tenant_id: tenant.id },
  })
  const add = tenant.has_sub_tenants ? (
    <>
      {is_ours ? (
        <ButtonLink to={`${base}/deleted`} variant="soft" color="gray">
          Deleted
        </ButtonLink>
      ) : null}
      <ButtonLink to={link(`${base}/add`)}>Add sub-tenant</ButtonLink>
    </>
  ) : null
  return (
    <Page
      title={`Sub-tenants of ${isolated(tenant.name)}`}
      lead={
        <>
          {tenant.has_sub_tenants ? 'The parts of ' : 'Only a Multi Tenant can have sub-tenants: '}
          <Link to={`/tenants/edit/${tenant.id}`}>this customer</Link>.
        </>
      }
      action={add}
    >
      <FilterBar q={q} placeholder="Search sub-tenants" />
      <PagedTable
        caption="Sub-tenants"
        columns={columns}
        list={list}
        order={order}
        empty={{ hint: q ? 'No sub-tenants match this search.' : 'No sub-tenants yet.' }}
      />
    </Page>
  )
}
