import * as calls from '#app/api/contract/tenancy/pools.ts'
import { serve } from '#app/api/serve.server.ts'
import { checkPool } from '#app/auth/pools/pool-check.server.ts'
import { imaginePool, updateTenantPool } from '#app/auth/pools/pool-editing.server.ts'
import { listRefusals } from '#app/auth/pools/refused-sign-ins.server.ts'
import { getSharedPool, updateSharedPool } from '#app/auth/pools/shared-pool.server.ts'

export const pools = serve(calls, {
  getTenantPool: async ({ found }) => found,
  updateTenantPool: ({ scope, ids, body }) => updateTenantPool(scope, ids.id, body),
  testTenantPool: async ({ scope, ids, body }) => checkPool(await imaginePool(scope, ids.id, body)),
  listRefusedSignIns: ({ scope, ids, query }) => listRefusals(scope, ids.id, query),
  getSharedPool: ({ scope }) => getSharedPool(scope),
  updateSharedPool: ({ scope, body }) => updateSharedPool(scope, body),
})
