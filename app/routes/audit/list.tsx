/** The audit log of a company, and that of the platform. */
import type { LinksFunction, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData, useSearchParams } from '@remix-run/react'
import { may } from '#app/domain/access/permissions.ts'
import type { AuditSearch } from '#app/domain/audit/audit-event.ts'
import { noPermission } from '#app/routes/guards.server.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { listAddress } from '#app/ui/list/list-place.ts'
import { PagedTable } from '#app/ui/list/paged-table.tsx'
import { Page } from '#app/ui/page.tsx'
import stylesheet from './audit.css?url'
import { auditColumns, Filters, IgnoredFilters } from './parts.tsx'
import { readAuditLog, requireReader } from './read.server.ts'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.place === 'platform' ? PLATFORM.title : COMPANY.title} · Liftwell` },
]
export const links: LinksFunction = () => [{ rel: 'stylesheet', href: stylesheet }]

export async function loader(args: LoaderFunctionArgs) {
  const { visitor, place } = await requireReader(args)
  if (!may(visitor.actor, 'audit:view')) throw noPermission('The audit log is for administrators.')
  return { ...(await readAuditLog(args, visitor)), place }
}

const COMPANY = { title: 'Audit log', lead: 'Who changed what, and for whom.' }
const PLATFORM = {
  title: 'Audit log of the platform',
  lead: 'What belongs to no company: super admins and their sign-ins, the shared sign-in, tenants removed for good.',
}

const whyNothing = ({ from, to }: AuditSearch): string =>
  from && to && from > to
    ? 'The first day is after the last one, so no day is left.'
    : 'Nothing of this kind happened. Clear the filters to see everything.'

export default function ListAuditEvents() {
  const { search, ignored, zone, company, events, place } = useLoaderData<typeof loader>()
  const [address] = useSearchParams()
  const isPlatform = place === 'platform'
  const { title, lead } = isPlatform ? PLATFORM : COMPANY
  return (
    <Page
      title={title}
      lead={`${lead} Times are those of ${zone.replaceAll('_', ' ')}.`}
      action={
        <>
          {isPlatform ? (
            <ButtonLink to="/tenants" variant="soft" color="gray">
              Tenants
            </ButtonLink>
          ) : null}
          <ButtonLink
            to={listAddress(`/${isPlatform ? 'tenants' : 'settings'}/audit/export`, address)}
            variant="soft"
            reloadDocument
          >
            Export CSV
          </ButtonLink>
        </>
      }
    >
      <Filters search={search} company={isPlatform ? null : company} />
      <IgnoredFilters ignored={ignored} />
      <PagedTable
        caption="What happened"
        columns={auditColumns({ zone, company, place })}
        list={events}
        empty={{ hint: whyNothing(search) }}
      />
    </Page>
  )
}
