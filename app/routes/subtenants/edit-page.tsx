/** The page of one sub-tenant, for a company itself and for super admins. */

import type { SubTenant } from '#app/domain/tenants/sub-tenant.ts'
import { isolated } from '#app/domain/text/isolated.ts'
import { DELETING_ELSEWHERE, DeleteSection } from '#app/ui/delete-section.tsx'
import { useBesideAddress } from '#app/ui/list/list-place.ts'
import { Page } from '#app/ui/page.tsx'
import { SubTenantFields } from './sub-tenant-form.tsx'

type EditPageProps = { subTenant: SubTenant; timezones: readonly string[]; list: string; here: string }

export function EditSubTenantPage({ subTenant, timezones, list, here }: EditPageProps) {
  return (
    <Page
      title={`Edit ${isolated(subTenant.name)}`}
      lead="A part of the company with its own people and journeys."
    >
      <SubTenantFields
        subTenant={subTenant}
        company={subTenant.of_company}
        timezones={timezones}
        listHref={list}
      />
      <DeleteSection
        what="sub-tenant"
        name={subTenant.name}
        here={useBesideAddress()(here)}
        {...(subTenant.of_company ? DELETING : DELETING_ELSEWHERE)}
      />
    </Page>
  )
}

const DELETING = {
  help: 'Nobody can enter it. You can restore it for 30 days.',
  message:
    'Nobody can enter it, and nothing more is sent to its learners. You can restore it for 30 days; then all of it is removed for good.',
}
