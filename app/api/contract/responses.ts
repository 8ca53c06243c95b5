/** Answers of learners, as their questions promise them to those who run the journey. */
import { z } from 'zod'
import {
  LearnerResponses,
  LearnerResponsesQuery,
  ResponsePage,
  ResponseQuery,
} from '#app/domain/responses/response.ts'
import { callsAbout } from './call.ts'
import { NumericId, oneId } from './parts.ts'

const { get } = callsAbout('Responses')

export const listLiftResponses = get('/lifts/{id}/responses', {
  does: 'Who answered what in a lift, or to one of its questions; the newest first',
  remark: 'Answers that only their learner may read, or that are only counted, are left out.',
  may: 'edit lift',
  ids: oneId,
  query: ResponseQuery,
  answers: ResponsePage,
})

export const getLearnerResponses = get('/lljs/{id}/learners/{userId}/responses', {
  does: 'What one learner did with each lift of the journey, when, and what they answered',
  may: 'edit journey',
  ids: z.object({ id: NumericId, userId: NumericId }),
  query: LearnerResponsesQuery,
  answers: LearnerResponses,
})
