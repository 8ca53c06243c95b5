import * as calls from '#app/api/contract/objectives.ts'
import { serve } from '#app/api/serve.server.ts'
import {
  createObjective,
  deleteObjective,
  listObjectives,
  updateObjective,
} from '#app/domain/objectives/objectives.server.ts'

export const objectives = serve(calls, {
  listObjectives: async ({ scope, ids }) => ({ data: await listObjectives(scope, ids.id) }),
  createObjective: ({ scope, ids, body }) => createObjective(scope, ids.id, body),
  updateObjective: ({ scope, ids, body }) => updateObjective(scope, ids.id, body),
  deleteObjective: async ({ scope, ids, query }) => {
    await deleteObjective(scope, ids.id, query)
    return {}
  },
})
