import * as calls from '#app/api/contract/prompts.ts'
import { serve } from '#app/api/serve.server.ts'
import {
  createPrompt,
  deletePrompt,
  orderPrompts,
  updatePrompt,
} from '#app/domain/running/edit-prompts.server.ts'

export const prompts = serve(calls, {
  createPrompt: ({ scope, ids, body }) => createPrompt(scope, ids.id, body),
  orderPrompts: ({ scope, ids, body }) => orderPrompts(scope, ids.id, body),
  updatePrompt: ({ scope, ids, body }) => updatePrompt(scope, ids.id, body),
  deletePrompt: async ({ scope, ids, query }) => {
    await deletePrompt(scope, ids.id, query)
    return {}
  },
})
