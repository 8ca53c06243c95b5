import {
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { z } from 'zod'
import { listTenants } from '#app/api/contract/tenancy/tenants.ts'
import { withCookies } from '#app/auth/cookies.server.ts'
import { keeper } from '#app/auth/keeper.server.ts'
import { getConfig } from '#app/config.server.ts'
import { Refusal } from '#app/domain/errors.ts'
import { parseOrder } from '#app/domain/page.ts'
import { switchAddress } from '#app/domain/tenants/switch-address.ts'
import { Reason } from '#app/domain/tenants/switching.ts'
import { TENANT_ORDERS, TenantSearch } from '#app/domain/tenants/tenant.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { requireSuperAdmin, requireVisitor } from '#app/routes/guards.server.ts'
import { intentOf } from '#app/routes/intent.server.ts'
import { namedScope, ScopeRef } from '#app/routes/switching/named-scope.server.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { FilterBar } from '#app/ui/list/filter-bar.tsx'
import { useRowAddress } from '#app/ui/list/list-place.ts'
import { PagedTable } from '#app/ui/list/paged-table.tsx'
import { Page } from '#app/ui/page.tsx'
import { tenantColumns } from './list-parts.tsx'
import { leaveForDeleted } from './restore.server.ts'

export const meta: MetaFunction = () => [{ title: 'Tenants · Liftwell' }]

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requireSuperAdmin(args)
  leaveForDeleted(args.request, '/tenants/deleted')
  const { searchParams } = new URL(args.request.url)
  const search = TenantSearch.parse({
    ...Object.fromEntries(searchParams),
    role: searchParams.getAll('role'),
  })
  const { page, order, q } = search
  const tenants = await api(listTenants, {
    page,
    q,
    ...parseOrder(order, TENANT_ORDERS),
  })
  return { tenants, order, q, is_ours: !getConfig().WEB_TIER }
}

/** Enters or leaves a tenant, which starts a new session. */
export async function action(args: ActionFunctionArgs) {
  const formData = await args.request.formData()
  const intent = intentOf(formData, ['stop_impersonating', 'impersonate'])
  if (intent === 'stop_impersonating') {
    const { session } = await requireVisitor(args)
    return redirect('/tenants', { headers: withCookies(await keeper().stopImpersonating(session)) })
  }
  const visitor = await requireSuperAdmin(args)
  try {
    const scope = ScopeForm.safeParse(Object.fromEntries(formData))
    if (!scope.success) throw new Refusal(404, 'Choose a tenant first.')
    const { tenant_id, sub_tenant_id, reason } = scope.data
    if (!reason) return redirect(switchAddress(tenant_id, sub_tenant_id))
    const { tenant, subTenant } = await namedScope(visitor, { tenant_id, sub_tenant_id })
    const cookies = await keeper().impersonate(visitor.session, tenant, { sub_tenant: subTenant, reason })
    return redirect('/', { headers: withCookies(cookies) })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return redirectWithToast('/tenants', { title: 'Error', message: error.message, variant: 'error' })
  }
}

/** A tenant, or one of its sub-tenants; without a reason, the next page asks for one. */
const ScopeForm = z.object({
  tenant_id: ScopeRef,
  sub_tenant_id: ScopeRef.optional(),
  reason: Reason.optional().catch(undefined),
})

export default function ListTenants() {
  const { tenants, order, q, is_ours } = useLoaderData<typeof loader>()
  const row = useRowAddress()
  const add = (
    <>
      {is_ours ? (
        <>
          <ButtonLink to="/tenants/deleted" variant="soft" color="gray">
            Deleted
          </ButtonLink>
          <ButtonLink to="/tenants/shared-sign-in" variant="soft" color="gray">
            Shared sign-in
          </ButtonLink>
          <ButtonLink to="/tenants/audit" variant="soft" color="gray">
            Audit log
          </ButtonLink>
        </>
      ) : null}
      <ButtonLink to={row('/tenants/add')}>Add tenant</ButtonLink>
    </>
  )
  return (
    <Page title="Tenants" lead="All customers." action={add}>
      <FilterBar q={q} placeholder="Search tenants and sub-tenants" />
      <PagedTable
        caption="Tenants"
        columns={tenantColumns(is_ours)}
        list={tenants}
        order={order}
        empty={{ hint: q ? 'No tenants or sub-tenants match this search.' : 'Add your first customer.' }}
      />
    </Page>
  )
}
