/** Answers of learners, shown to those who run the journey only as far as each question promised. */
import { z } from 'zod'
import { LearnerResponsesQuery, ResponseQuery } from '#app/domain/analytics/query.ts'
import { LearnerResponses, ResponsePage } from '#app/domain/responses/response.ts'
import { ScorableAnswer, ScoreInput } from '#app/domain/responses/score.ts'
import { callsAbout } from './call.ts'
import { whenFiltered } from './dear.ts'
import { NumericId, oneId } from './parts.ts'

const { get, post } = callsAbout('Responses')

export const listLiftResponses = get('/lifts/{id}/responses', {
  does: 'Who answered what in a lift, or to one of its questions; newest first',
  remark: 'Answers that only their learner can read, or that are only counted, are left out.',
  may: 'edit lift',
  ids: oneId,
  query: ResponseQuery,
  answers: ResponsePage,
  dear: whenFiltered,
})

export const getLearnerResponses = get('/lljs/{id}/learners/{userId}/responses', {
  does: 'What one learner did with each lift of the journey, when, and what they answered',
  may: 'edit journey',
  ids: z.object({ id: NumericId, userId: NumericId }),
  query: LearnerResponsesQuery,
  answers: LearnerResponses,
})

export const getScorable = get('/responses/{id}', {
  does: 'An answer that the caller scores, and its score so far',
  may: 'score response',
  ids: oneId,
  answers: ScorableAnswer,
})

export const scoreAnswer = post('/responses/{id}/scores', {
  does: 'Score an answer, with a comment for its learner',
  remark: 'With `version`, only if nobody else scored it meanwhile; the same score again changes nothing.',
  may: 'score response',
  ids: oneId,
  body: ScoreInput,
  answers: ScorableAnswer,
  audited: true,
})
