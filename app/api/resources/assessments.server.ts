import * as calls from '#app/api/contract/assessments.ts'
import { serve } from '#app/api/serve.server.ts'
import {
  createAssessment,
  deleteAssessment,
  updateAssessment,
} from '#app/domain/assessments/assessments.server.ts'
import { fillIn, reopenForm } from '#app/domain/assessments/filling.server.ts'
import { getLearnerAssessments } from '#app/domain/assessments/learner.server.ts'
import { listOwed } from '#app/domain/assessments/own-forms.server.ts'
import { listAssessments } from '#app/domain/assessments/table.server.ts'

export const assessments = serve(calls, {
  listAssessments: ({ scope, ids, query }) => listAssessments(scope, ids.id, query),
  createAssessment: ({ scope, ids, body }) => createAssessment(scope, ids.id, body),
  getLearnerAssessments: async ({ scope, ids }) => {
    const { id, userId } = ids
    return await getLearnerAssessments(scope, id, userId)
  },
  updateAssessment: ({ scope, ids, body }) => updateAssessment(scope, ids.id, body),
  deleteAssessment: async ({ scope, ids, query }) => {
    await deleteAssessment(scope, ids.id, query)
    return {}
  },
  fillInAssessment: async ({ scope, ids, body }) => {
    const { id, userId } = ids
    return await fillIn(scope, id, userId, body)
  },
  reopenAssessment: async ({ scope, ids, body }) => {
    const { id, userId } = ids
    return await reopenForm(scope, id, userId, body)
  },
  listOwedForms: async ({ scope, query }) => ({ data: await listOwed(scope, query.journey) }),
})
