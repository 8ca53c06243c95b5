import * as calls from '#app/api/contract/tenancy/company.ts'
import { serve } from '#app/api/serve.server.ts'
import { updateCompany } from '#app/domain/tenants/company.server.ts'
import { updateSubTenantCompany } from '#app/domain/tenants/sub-tenants.server.ts'

export const company = serve(calls, {
  updateCompany: ({ scope, ids, body }) => updateCompany(scope, ids.id, body),
  updateSubTenantCompany: async ({ scope, ids, body }) => {
    const { id, subId } = ids
    return await updateSubTenantCompany(scope, id, subId, body)
  },
})
