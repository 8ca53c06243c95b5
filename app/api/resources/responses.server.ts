import * as calls from '#app/api/contract/responses.ts'
import { serve } from '#app/api/serve.server.ts'
import { getLearnerResponses } from '#app/domain/analytics/learner-responses.server.ts'
import { listLiftResponses } from '#app/domain/analytics/lift-responses.server.ts'
import { getScorable, scoreAnswer } from '#app/domain/responses/scoring.server.ts'

export const responses = serve(calls, {
  getScorable: ({ scope, ids }) => getScorable(scope, ids.id),
  scoreAnswer: ({ scope, ids, body }) => scoreAnswer(scope, ids.id, body),
  listLiftResponses: ({ scope, ids, query }) => listLiftResponses(scope, ids.id, query),
  getLearnerResponses: ({ scope, ids, query }) => getLearnerResponses(scope, ids.id, ids.userId, query),
})
