/** What the schedule page of a journey shows, and what its forms do. */
import { z } from 'zod'
import type { ApiClient } from '#app/api/client.server.ts'
import { JourneyChoices } from '#app/domain/journeys/journey.ts'
import { Timeline } from '#app/domain/journeys/timeline.ts'
import { readAuthoring } from './authoring.server.ts'
import { author } from './authoring-actions.server.ts'
import { readPeople } from './people.server.ts'
import { moveJourney, readRunning } from './running.server.ts'
import {
  addMembers,
  launch,
  removeLift,
  removeMember,
  saveJourney,
  saveLift,
} from './schedule-actions.server.ts'
import { readSearch } from './schedule-search.ts'

export type ScheduleData = Awaited<ReturnType<typeof readSchedule>>

export async function readSchedule(api: ApiClient, journeyId: string, request: Request) {
  const search = readSearch(request)
  const address = `/lljs/${journeyId}`
  const [timeline, authoring, running, people, choices, timezones] = await Promise.all([
    api.get(`${address}/schedule`, Timeline),
    readAuthoring(api, journeyId, request),
    readRunning(api, journeyId, request),
    search.participantsModal ? readPeople(api, address, search) : null,
    search.journeyModal ? api.get('/lljs/data', JourneyChoices) : null,
    search.journeyModal ? api.get('/tenants/timezones', z.array(z.string())) : [],
  ])
  return { search, running, authoring, timeline, people, timezones, categories: choices?.categories ?? [] }
}

export async function changeSchedule(api: ApiClient, journeyId: string, request: Request) {
  const formData = await request.formData()
  switch (formData.get('intent')) {
    case 'save-lift':
      return saveLift(api, journeyId, readSearch(request).lift, formData)
    case 'save-journey':
      return saveJourney(api, journeyId, formData)
    case 'launch':
      return launch(api, journeyId, formData)
    case 'add-members':
      return addMembers(api, journeyId, formData)
    case 'remove-member':
      return removeMember(api, journeyId, formData)
    case 'remove-lift':
      return removeLift(api, journeyId, formData)
    default:
      return (await moveJourney(api, journeyId, formData)) ?? author(api, journeyId, request, formData)
  }
}
