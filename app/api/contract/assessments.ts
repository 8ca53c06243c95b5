/** Assessments: authors reach them below the path of the journey, those who fill them in by a path of their own. */

import { z } from 'zod'
import { Assessment, AssessmentChange, AssessmentInput } from '#app/domain/assessments/assessment.ts'
import {
  AnswersInput,
  AssessmentsPage,
  AssessmentsQuery,
  LearnerAssessments,
  OwedForms,
  ReopenInput,
} from '#app/domain/assessments/form.ts'
import { SeenQuery } from '#app/domain/optimistic-lock.ts'
import { callsAbout } from './call.ts'
import { NOTHING, NumericId, oneId } from './parts.ts'

const { get, post, put, remove } = callsAbout('Assessments')

export const listAssessments = get('/lljs/{id}/assessments', {
  does: 'The assessments of a journey, and a page of its learners with the state of each of their forms',
  may: 'edit journey',
  ids: oneId,
  query: AssessmentsQuery,
  answers: AssessmentsPage,
})

export const createAssessment = post('/lljs/{id}/assessments', {
  does: 'Add an assessment with its items',
  may: 'edit journey',
  ids: oneId,
  body: AssessmentInput,
  answers: Assessment,
  described: 'Created',
  status: 201,
  repeats: 'once',
  audited: true,
})

export const getLearnerAssessments = get('/lljs/{id}/assessments/{userId}', {
  does: 'The assessments of one learner, item by item, as far as the caller can read them',
  may: 'signed in',
  ids: z.object({ id: NumericId, userId: NumericId }),
  answers: LearnerAssessments,
})

export const updateAssessment = put('/assessments/{id}', {
  does: 'Change an assessment; once somebody submitted, only its name and its end',
  may: 'edit assessment',
  ids: oneId,
  body: AssessmentChange,
  answers: Assessment,
  audited: true,
})

export const deleteAssessment = remove('/assessments/{id}', {
  does: 'Delete an assessment, or close one that somebody submitted',
  may: 'edit assessment',
  ids: oneId,
  query: SeenQuery,
  answers: NOTHING,
  audited: true,
})

export const fillInAssessment = put('/assessments/{id}/forms/{userId}', {
  does: 'Save or submit the caller’s own form about a learner',
  may: 'fill in assessment',
  ids: z.object({ id: NumericId, userId: NumericId }),
  body: AnswersInput,
  answers: LearnerAssessments,
  audited: true,
})

export const reopenAssessment = post('/assessments/{id}/forms/{userId}/reopen', {
  does: 'Open a form again, as a new revision',
  may: 'reopen assessment',
  ids: z.object({ id: NumericId, userId: NumericId }),
  body: ReopenInput,
  answers: LearnerAssessments,
  audited: true,
})

export const listOwedForms = get('/learner/assessments', {
  does: 'The assessments that wait for the caller, about themselves and others',
  may: 'signed in',
  query: z.object({ journey: z.coerce.number().int().positive().optional() }),
  answers: OwedForms,
})
