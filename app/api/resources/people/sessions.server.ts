import * as calls from '#app/api/contract/people/sessions.ts'
import { serve } from '#app/api/serve.server.ts'
import { endOtherSessions, endOwnSession, listSessions } from '#app/auth/sessions/session-list.server.ts'

export const sessions = serve(calls, {
  listSessions: async ({ scope, caller }) => ({ data: await listSessions(scope, caller.token) }),
  endOtherSessions: async ({ scope, caller }) => {
    await endOtherSessions(scope, caller.token)
    return {}
  },
  endSession: async ({ scope, ids }) => {
    await endOwnSession(scope, ids.id)
    return {}
  },
})
