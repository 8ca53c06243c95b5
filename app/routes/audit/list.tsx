import type { LinksFunction, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData, useSearchParams } from '@remix-run/react'
import { listAuditEvents } from '#app/api/contract/audit.ts'
import { may } from '#app/domain/access/permissions.ts'
import type { AuditEvent, AuditSearch } from '#app/domain/audit/audit-event.ts'
import { withNames } from '#app/domain/audit/numbered.ts'
import { noPermission, requireDashboard } from '#app/routes/guards.server.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { listAddress } from '#app/ui/list/list-place.ts'
import { PagedTable } from '#app/ui/list/paged-table.tsx'
import { Page } from '#app/ui/page.tsx'
import stylesheet from './audit.css?url'
import { auditColumns, Filters, IgnoredFilters } from './parts.tsx'
import { readAuditSearch } from './search.server.ts'
import { shortened } from './shortened.ts'

export const meta: MetaFunction = () => [{ title: 'Audit log · Liftwell' }]
export const links: LinksFunction = () => [{ rel: 'stylesheet', href: stylesheet }]

export async function loader(args: LoaderFunctionArgs) {
  const visitor = await requireDashboard(args)
  if (!may(visitor.actor, 'audit:view')) throw noPermission('The audit log is for administrators.')
  const { query, ...read } = await readAuditSearch(args, visitor)
  const isInSubTenant = visitor.actor.sub_tenant_id !== null
  const { data: rows, pagination } = await visitor.api(listAuditEvents, query)
  const shown = rows.map((event) => ({
    ...event,
    names: {},
    changes: shortened(withNames(event)) as AuditEvent['changes'],
  }))
  return { ...read, isInSubTenant, events: { data: shown, pagination } }
}

const whyNothing = ({ from, to }: AuditSearch): string =>
  from && to && from > to
    ? 'The first day is after the last one, so no day is left.'
    : 'Nothing of this kind happened. Clear the filters to see everything.'

export default function ListAuditEvents() {
  const { search, ignored, zone, company, isInSubTenant, events } = useLoaderData<typeof loader>()
  const [address] = useSearchParams()
  return (
    <Page
      title="Audit log"
      lead={`Who changed what, and for whom. Times are those of ${zone.replaceAll('_', ' ')}.`}
      action={
        <ButtonLink to={listAddress('/settings/audit/export', address)} variant="soft" reloadDocument>
          Export CSV
        </ButtonLink>
      }
    >
      <Filters search={search} company={company} />
      <IgnoredFilters ignored={ignored} />
      <PagedTable
        caption="What happened"
        columns={auditColumns({ zone, company, isInSubTenant })}
        list={events}
        empty={{ hint: whyNothing(search) }}
      />
    </Page>
  )
}
