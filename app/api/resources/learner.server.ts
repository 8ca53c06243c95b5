import * as calls from '#app/api/contract/learner.ts'
import { serve } from '#app/api/serve.server.ts'
import { getLearnerJourney } from '#app/domain/participants/learner-journey.server.ts'
import { listLearnerJourneys, listTodo } from '#app/domain/participants/learning.server.ts'

export const learner = serve(calls, {
  listLearnerJourneys: ({ scope }) => listLearnerJourneys(scope),
  getLearnerJourney: ({ scope, ids }) => getLearnerJourney(scope, ids.id),
  listTodo: ({ scope }) => listTodo(scope),
})
