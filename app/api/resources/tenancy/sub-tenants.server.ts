import * as calls from '#app/api/contract/tenancy/sub-tenants.ts'
import { serve } from '#app/api/serve.server.ts'
import { restoreSubTenant } from '#app/domain/tenants/restoring.server.ts'
import { listSubTenantChoices } from '#app/domain/tenants/sub-tenant-lists.server.ts'
import {
  createSubTenant,
  deleteSubTenant,
  getSubTenant,
  listSubTenants,
  updateSubTenant,
} from '#app/domain/tenants/sub-tenants.server.ts'

export const subTenants = serve(calls, {
  listSubTenantChoices: async ({ scope }) => ({ data: await listSubTenantChoices(scope) }),
  listSubTenants: ({ scope, ids, query }) => listSubTenants(scope, ids.id, query),
  createSubTenant: ({ scope, ids, body }) => createSubTenant(scope, ids.id, body),
  getSubTenant: async ({ scope, ids }) => {
    const { id, subId } = ids
    return await getSubTenant(scope, id, subId)
  },
  updateSubTenant: async ({ scope, ids, body }) => {
    const { id, subId } = ids
    return await updateSubTenant(scope, id, subId, body)
  },
  deleteSubTenant: async ({ scope, ids }) => {
    const { id, subId } = ids
    await deleteSubTenant(scope, id, subId)
    return {}
  },
  restoreSubTenant: async ({ scope, ids }) => {
    const { id, subId } = ids
    return await restoreSubTenant(scope, id, subId)
  },
})
