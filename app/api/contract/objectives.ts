/** The learning objectives of a journey: listed below the journey's path, changed by a path of their own. */

import { Objective, ObjectiveChange, ObjectiveInput, Objectives } from '#app/domain/objectives/objective.ts'
import { SeenQuery } from '#app/domain/optimistic-lock.ts'
import { callsAbout } from './call.ts'
import { NOTHING, oneId } from './parts.ts'

const { get, post, put, remove } = callsAbout('Learning objectives')

export const listObjectives = get('/lljs/{id}/learning_objectives', {
  does: 'The learning objectives of a journey, in order',
  may: 'edit journey',
  ids: oneId,
  answers: Objectives,
})

export const createObjective = post('/lljs/{id}/learning_objectives', {
  does: 'Add a learning objective',
  may: 'edit journey',
  ids: oneId,
  body: ObjectiveInput,
  answers: Objective,
  described: 'Created',
  status: 201,
  repeats: 'once',
  audited: true,
})

export const updateObjective = put('/learning_objectives/{id}', {
  does: 'Change a learning objective',
  may: 'edit objective',
  ids: oneId,
  body: ObjectiveChange,
  answers: Objective,
  audited: true,
})

export const deleteObjective = remove('/learning_objectives/{id}', {
  does: 'Delete a learning objective, or retire one in use',
  may: 'edit objective',
  ids: oneId,
  query: SeenQuery,
  answers: NOTHING,
  audited: true,
})
