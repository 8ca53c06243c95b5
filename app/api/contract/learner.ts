import { LearnerJourneyPage } from '#app/domain/participants/learner-journey.ts'
import { LearnerJourneys, Todo } from '#app/domain/participants/learning.ts'
import { callsAbout } from './call.ts'
import { oneId } from './parts.ts'

const { get } = callsAbout('Learner')

export const listLearnerJourneys = get('/learner/lljs', {
  does: 'The caller’s journeys with their progress, and the lifts that wait in them',
  may: 'signed in',
  answers: LearnerJourneys,
})

export const getLearnerJourney = get('/learner/lljs/{id}', {
  does: 'One of the caller’s journeys: lifts received, waiting and to come',
  may: 'signed in',
  ids: oneId,
  answers: LearnerJourneyPage,
})

export const listTodo = get('/learner/todo', {
  does: 'The lifts that wait for an answer',
  may: 'signed in',
  answers: Todo,
})
