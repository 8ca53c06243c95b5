/** The three reports; they share their filters. */

import * as calls from '#app/api/contract/analytics.ts'
import { serve } from '#app/api/serve.server.ts'
import { getByLift, getByUser, getOverview } from '#app/domain/analytics/analytics.server.ts'

export const analytics = serve(calls, {
  getOverview: ({ scope, query }) => getOverview(scope, query),
  listByUser: ({ scope, query }) => getByUser(scope, query),
  listByLift: ({ scope, query }) => getByLift(scope, query),
})
