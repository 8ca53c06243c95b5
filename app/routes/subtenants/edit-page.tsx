/** The page of one sub-tenant, for a company itself and for super admins. */
import { useSearchParams } from '@remix-run/react'
import type { SubTenant } from '#app/domain/tenants/sub-tenant.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { ConfirmDialog } from '#app/ui/dialog.tsx'
import { FormSection } from '#app/ui/form.tsx'
import { Page } from '#app/ui/page.tsx'
import { SubTenantFields } from './sub-tenant-form.tsx'

type EditPageProps = { subTenant: SubTenant; timezones: readonly string[]; list: string; here: string }

export function EditSubTenantPage({ subTenant, timezones, list, here }: EditPageProps) {
  const [search] = useSearchParams()
  return (
    <Page title={`Edit ${subTenant.name}`} lead="A part of the company with people and journeys of its own.">
      <SubTenantFields subTenant={subTenant} timezones={timezones} cancelHref={list} />
      <FormSection title="Delete" help="Nobody can enter it any more.">
        <div>
          <ButtonLink to={`${here}?delete=true`} variant="outline" color="red">
            Delete sub-tenant
          </ButtonLink>
        </div>
      </FormSection>
      {search.get('delete') === 'true' ? (
        <ConfirmDialog
          title={`Delete ${subTenant.name}?`}
          message="Nobody can enter it any more, and nothing more is sent to its learners."
          continueText="Yes, delete"
          cancelHref={here}
          variant="error"
          fields={{ intent: 'delete' }}
        />
      ) : null}
    </Page>
  )
}
