import {
  AssessmentFigures,
  AssessmentFiguresQuery,
  TimeToAnswer,
  TimeToAnswerQuery,
} from '#app/domain/analytics/assessed/assessment-figures.ts'
import { callsAbout } from './call.ts'

const { get } = callsAbout('Analytics')

export const listAssessmentFigures = get('/analytics/assessments', {
  does: 'Objectives before and after, a row for each that assessments ask about; of people of whom there are both',
  remark:
    'Levels are from 0 to 1. Nothing is said of fewer than five people, and people are counted five at a time. The interval is that of Student’s t, with 95%.',
  may: 'view analytics',
  query: AssessmentFiguresQuery,
  answers: AssessmentFigures,
  dear: true,
  replica: 'recent',
})

export const getTimeToAnswer = get('/analytics/time_to_answer', {
  does: 'In how many minutes half of the answers came, and half of all who were asked had answered',
  remark: 'The second is the Kaplan–Meier estimate, which counts those who have not answered yet.',
  may: 'view analytics',
  query: TimeToAnswerQuery,
  answers: TimeToAnswer,
  dear: true,
  replica: 'recent',
})
