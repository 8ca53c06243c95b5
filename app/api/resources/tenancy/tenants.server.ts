import * as calls from '#app/api/contract/tenancy/tenants.ts'
import { serve } from '#app/api/serve.server.ts'
import { listTenantChoices, listTenants } from '#app/domain/tenants/list-tenants.server.ts'
import { restoreTenant } from '#app/domain/tenants/restoring.server.ts'
import { createTenant, deleteTenant, updateTenant } from '#app/domain/tenants/tenants.server.ts'
import { TIME_ZONES } from '#app/domain/tenants/timezone.ts'

export const tenants = serve(calls, {
  listTenants: ({ scope, query }) => listTenants(scope, query),
  createTenant: ({ scope, body }) => createTenant(scope, body),
  listTimezones: async () => [...TIME_ZONES],
  listTenantChoices: async ({ scope, query }) => ({ data: await listTenantChoices(scope, query.q) }),
  getTenant: async ({ found }) => found,
  updateTenant: ({ scope, ids, body }) => updateTenant(scope, ids.id, body),
  deleteTenant: async ({ scope, ids }) => {
    await deleteTenant(scope, ids.id)
    return {}
  },
  restoreTenant: ({ scope, ids }) => restoreTenant(scope, ids.id),
})
