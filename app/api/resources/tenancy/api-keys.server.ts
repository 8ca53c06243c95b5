import * as calls from '#app/api/contract/tenancy/api-keys.ts'
import { serve } from '#app/api/serve.server.ts'
import { createApiKey, getApiKey, listApiKeys, revokeApiKey } from '#app/domain/api-keys/api-keys.server.ts'

export const apiKeys = serve(calls, {
  listApiKeys: ({ scope, query }) => listApiKeys(scope, query),
  createApiKey: ({ scope, body }) => createApiKey(scope, body),
  getApiKey: ({ scope, ids }) => getApiKey(scope, ids.id),
  revokeApiKey: ({ scope, ids }) => revokeApiKey(scope, ids.id),
})
