import * as calls from '#app/api/contract/assessment-figures.ts'
import { serve } from '#app/api/serve.server.ts'
import { listAssessmentFigures } from '#app/domain/analytics/assessed/assessment-figures.server.ts'
import { getTimeToAnswer } from '#app/domain/analytics/time-to-answer.server.ts'

export const assessmentFigures = serve(calls, {
  listAssessmentFigures: ({ scope, query }) => listAssessmentFigures(scope, query),
  getTimeToAnswer: ({ scope, query }) => getTimeToAnswer(scope, query),
})
