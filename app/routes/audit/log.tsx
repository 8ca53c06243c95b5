/** The list of the audit log, of a company or of the platform. */
import { useSearchParams } from '@remix-run/react'
import type { ReactNode } from 'react'
import type { AuditSearch } from '#app/domain/audit/audit-event.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { listAddress } from '#app/ui/list/list-place.ts'
import { PagedTable } from '#app/ui/list/paged-table.tsx'
import { Page } from '#app/ui/page.tsx'
import { auditColumns, Filters, IgnoredFilters } from './parts.tsx'
import type { readAuditLog } from './read.server.ts'
import type { Place } from './subject.tsx'

type AuditLogProps = Awaited<ReturnType<typeof readAuditLog>> & {
  place: Place
  title: string
  lead: string
  /** Beside the file. */
  children?: ReactNode
}

export function AuditLog({
  search,
  ignored,
  zone,
  company,
  events,
  place,
  title,
  lead,
  children,
}: AuditLogProps) {
  const [address] = useSearchParams()
  const file = `${place === 'platform' ? '/tenants' : '/settings'}/audit/export`
  return (
    <Page
      title={title}
      lead={`${lead} Times are those of ${zone.replaceAll('_', ' ')}.`}
      action={
        <>
          {children}
          <ButtonLink to={listAddress(file, address)} variant="soft" reloadDocument>
            Export CSV
          </ButtonLink>
        </>
      }
    >
      <Filters search={search} company={place === 'platform' ? null : company} />
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

const whyNothing = ({ from, to }: AuditSearch): string =>
  from && to && from > to
    ? 'The first day is after the last one, so no day is left.'
    : 'Nothing of this kind happened. Clear the filters to see everything.'
