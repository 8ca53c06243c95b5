/** The schedule of a journey, previewed from any moment, and the changes of the journey's state. */

import { Journey } from '#app/domain/journeys/journey.ts'
import { Preview, PreviewInput, PreviewQuery } from '#app/domain/planning/preview/preview.ts'
import { ResumeInput } from '#app/domain/running/lifecycle.ts'
import { callsAbout } from './call.ts'
import { oneId } from './parts.ts'

const { get, post } = callsAbout('Schedules')

export const previewSchedule = get('/lljs/{id}/schedule/preview', {
  does: 'Who gets which lift, when, on which channel, and why then',
  may: 'edit journey',
  ids: oneId,
  query: PreviewQuery,
  answers: Preview,
})

export const previewChanges = post('/lljs/{id}/schedule/preview', {
  does: 'The same with draft changes; nothing is stored. `impact` says what saving them would do',
  may: 'edit journey',
  ids: oneId,
  body: PreviewInput,
  answers: Preview,
  audited: false,
  isRead: true,
})

export const pauseJourney = post('/lljs/{id}/pause', {
  does: 'Hold everything that has not been sent',
  may: 'edit journey',
  ids: oneId,
  answers: Journey,
  audited: true,
})

export const resumeJourney = post('/lljs/{id}/resume', {
  does: 'Resume: `shift` keeps the gaps between lifts, `skip` leaves out what fell into the pause',
  may: 'edit journey',
  ids: oneId,
  body: ResumeInput,
  answers: Journey,
  audited: true,
})

export const completeJourney = post('/lljs/{id}/complete', {
  does: 'End it: what has not been sent is canceled, answers stay',
  may: 'edit journey',
  ids: oneId,
  answers: Journey,
  audited: true,
})

export const archiveJourney = post('/lljs/{id}/archive', {
  does: 'Archive it: read-only from then on',
  may: 'edit journey',
  ids: oneId,
  answers: Journey,
  audited: true,
})
