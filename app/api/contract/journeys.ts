import {
  AuthorChange,
  Journey,
  JourneyChange,
  JourneyChoices,
  JourneyInput,
  JourneyQuery,
  JourneyRow,
  LaunchInput,
} from '#app/domain/journeys/journey.ts'
import { pageOf } from '#app/domain/page.ts'
import { DuplicateInput, ImportInput, ImportResult } from '#app/domain/running/documents/document.ts'
import { Timeline, TimelineQuery } from '#app/domain/running/timeline.ts'
import { callsAbout, fileOf } from './call.ts'
import { whenFiltered } from './dear.ts'
import { IMPORTS, LIST_BYTES, SENDING } from './limits.ts'
import { NOTHING, oneId } from './parts.ts'

const { get, post, put, patch, remove } = callsAbout('Journeys')

export const listJourneys = get('/lljs', {
  does: 'A page of journeys; authors see their own',
  may: 'view journeys',
  query: JourneyQuery,
  answers: pageOf(JourneyRow),
  dear: whenFiltered,
})

export const createJourney = post('/lljs', {
  does: 'Create a draft',
  may: 'create journeys',
  body: JourneyInput,
  answers: Journey,
  described: 'Created',
  status: 201,
  repeats: 'once',
  audited: true,
})

export const listJourneyChoices = get('/lljs/data', {
  does: 'What forms and filters offer: journeys, categories, authors',
  may: 'view journeys',
  answers: JourneyChoices,
})

export const getJourney = get('/lljs/{id}', {
  does: 'One journey',
  may: 'edit journey',
  ids: oneId,
  answers: Journey,
})

export const updateJourney = put('/lljs/{id}', {
  does: 'Change a journey; what is left out stays',
  may: 'edit journey',
  ids: oneId,
  body: JourneyChange,
  answers: Journey,
  audited: true,
})

export const deleteJourney = remove('/lljs/{id}', {
  does: 'Delete a draft',
  may: 'edit journey',
  ids: oneId,
  answers: NOTHING,
  audited: true,
})

export const launchJourney = post('/lljs/{id}/launch', {
  does: 'Launch a draft: plans every learner’s occurrences; a 422 lists what must be fixed first',
  may: 'edit journey',
  ids: oneId,
  body: LaunchInput,
  answers: Journey,
  audited: true,
})

export const getTimeline = get('/lljs/{id}/schedule', {
  does: 'A page of the lifts of a journey in order, how far each got, and what a launch would meet',
  may: 'edit journey',
  ids: oneId,
  query: TimelineQuery,
  answers: Timeline,
})

export const importJourney = post('/lljs/import', {
  does: 'Read a journey’s file; a dry run only says what is wrong and what could be better',
  may: 'create journeys',
  body: ImportInput,
  answers: ImportResult,
  bytes: LIST_BYTES,
  perPerson: IMPORTS,
  perAddress: SENDING,
  repeats: 'once',
  audited: true,
})

export const changeAuthor = patch('/lljs/{id}/author', {
  does: 'Hand a journey over to another author',
  may: 'hand over journey',
  ids: oneId,
  body: AuthorChange,
  answers: Journey,
  audited: true,
})

export const duplicateJourney = post('/lljs/{id}/duplicate', {
  does: 'A new draft with the settings of this journey, its lifts and objectives as chosen',
  may: 'duplicate journey',
  ids: oneId,
  body: DuplicateInput,
  answers: Journey,
  described: 'Created',
  status: 201,
  repeats: 'once',
  audited: true,
})

export const getJourneyFile = get('/lljs/{id}/file', {
  does: 'The journey as one readable text: its settings, lifts, questions and schedule',
  may: 'edit journey',
  ids: oneId,
  answers: fileOf('text/markdown', 'OK'),
})
