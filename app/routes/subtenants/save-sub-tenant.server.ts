/** The actions of sub-tenant forms, for a company itself and for super admins. */

import type { ApiClient } from '#app/api/client.server.ts'
import {
  createSubTenant,
  deleteSubTenant,
  getSubTenant,
  updateSubTenant,
} from '#app/api/contract/tenancy/sub-tenants.ts'
import { SubTenantForm } from '#app/domain/tenants/sub-tenant.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { intentOf } from '#app/routes/intent.server.ts'
import { askInactive } from '#app/routes/organization/asking-inactive.server.ts'
import { readForm } from '#app/routes/read-form.server.ts'
import { saveForm } from '#app/routes/save-form.server.ts'
import { readLogo } from '#app/routes/settings/read-logo.server.ts'
import { whyNotDone } from '#app/routes/why-not-done.server.ts'
import { backAddress } from '#app/ui/list/list-place.ts'

export async function addSubTenant(api: ApiClient, request: Request, tenantId: string, list: string) {
  return saveForm(
    await request.formData(),
    SubTenantForm,
    async ({ logo, remove_logo, lock_version: _, ...input }) => {
      const body = { ...input, ...(await readLogo({ logo, remove_logo })) }
      const { name } = await api(createSubTenant, { id: tenantId }, body)
      return redirectWithToast(backTo(list, request), { title: 'Sub-tenant added', message: name })
    },
  )
}

/** The list that the visitor came from. */
const backTo = (list: string, { url }: Request) => backAddress(list, new URL(url).searchParams)

type Edit = { tenantId: string; subTenantId: string; list: string }

export async function editSubTenant(api: ApiClient, request: Request, { tenantId, subTenantId, list }: Edit) {
  const ids = { id: tenantId, subId: subTenantId }
  const formData = await request.formData()
  if (intentOf(formData, ['delete'])) {
    try {
      await api(deleteSubTenant, ids)
    } catch (error) {
      return redirectWithToast(backTo(list, request), await whyNotDone(error, 'deleted'))
    }
    return redirectWithToast(backTo(list, request), { title: 'Sub-tenant deleted' })
  }
  const read = () => api(getSubTenant, ids)
  const question = await askInactive(formData, readForm(formData, SubTenantForm), read)
  if (question) return question
  return saveForm(formData, SubTenantForm, async ({ logo, remove_logo, timezone = null, ...input }) => {
    const body = { ...input, timezone, ...(await readLogo({ logo, remove_logo })) }
    const { name } = await api(updateSubTenant, ids, body)
    return redirectWithToast(backTo(list, request), { title: 'Sub-tenant saved', message: name })
  })
}
