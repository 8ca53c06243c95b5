/** What the schedule page of a journey shows, and what its forms do. */

import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { ApiClient } from '#app/api/client.server.ts'
import { encodePath } from '#app/api/path.ts'
import { isClosed } from '#app/domain/journeys/journey.ts'
import { Lift, LiftName } from '#app/domain/lifts/lift.ts'
import { dayIn } from '#app/domain/planning/weeks.ts'
import { Timeline } from '#app/domain/running/timeline.ts'
import { requireIntent } from '#app/routes/intent.server.ts'
import { readAuthoring } from './authoring.server.ts'
import { AUTHORING, author } from './authoring-actions.server.ts'
import { type ByHand, readByHand, sendByHand, sendTest } from './by-hand.server.ts'
import { type PhonePage, readPhone } from './phone.server.ts'
import { moveJourney, readRunning } from './running.server.ts'
import { STEPS } from './running-panel.tsx'
import { launch, removeLift, saveLift } from './schedule-actions.server.ts'
import { readSearch, type ScheduleSearch, timelineHref } from './schedule-search.ts'

export type ScheduleData = Awaited<ReturnType<typeof readSchedule>>

export async function readSchedule(api: ApiClient, journeyId: string, request: Request) {
  const search = readSearch(request)
  const open = search.lift ?? search.remove ?? search.send ?? search.test
  const [timeline, opened, names, authoring, running] = await Promise.all([
    api.get(encodePath`/lljs/${journeyId}/schedule`, TimelineShown, {
      ...{ page: search.page, lift: open, launch: search.launch },
    }),
    open ? openLift(api, journeyId, open, search) : NOTHING_OPEN,
    open || search.create ? api.get(encodePath`/lljs/${journeyId}/lifts`, LiftNames) : { data: [] },
    readAuthoring(api, journeyId, request),
    readRunning(api, journeyId, request),
  ])
  const { journey } = timeline
  // Completed and archived ones are only read.
  const mayEdit = journey.may_edit && !isClosed(journey.status)
  const today = dayIn(timeline.journey.timezone, new Date())
  return {
    ...{ search, running, authoring, timeline, today, mayEdit, ...opened },
    ...{ names: names.data, submissionKey: randomUUID() },
  }
}

/** Of each lift what its card says. */
const TimelineShown = Timeline.extend({
  lifts: z.array(
    Timeline.shape.lifts.element.pick({
      id: true,
      title: true,
      schedule: true,
      est_minutes: true,
      status: true,
      prompts: true,
      counts: true,
      held: true,
      unknown_messages: true,
    }),
  ),
})
export type TimelineShown = z.infer<typeof TimelineShown>

const LiftNames = z.object({ data: z.array(LiftName) })

type Opened = { lift?: Lift | undefined; phone?: PhonePage | undefined; byHand?: ByHand | undefined }
const NOTHING_OPEN: Opened = {}

/** A lift, and as it is edited, how it looks on a phone; as it is sent, to whom. */
async function openLift(
  api: ApiClient,
  journeyId: string,
  id: number,
  search: ScheduleSearch,
): Promise<Opened> {
  const lift = await findLift(api, journeyId, id)
  if (!lift) return {}
  if (search.lift) return { lift, phone: await readPhone(api, id) }
  return search.send ? { lift, byHand: await readByHand(api, search) } : { lift }
}

/** Somebody may have deleted it meanwhile; the timeline is shown then, without it. */
async function findLift(api: ApiClient, journeyId: string, id: number): Promise<Lift | undefined> {
  try {
    const lift = await api.get(encodePath`/lifts/${id}`, Lift)
    return String(lift.journey_id) === journeyId ? lift : undefined
  } catch (error) {
    if (error instanceof Response && error.status === 404) return undefined
    throw error
  }
}

const OF_JOURNEY = ['save-lift', 'launch', 'remove-lift', 'send-now', 'send-chosen', 'send-test'] as const

export async function changeSchedule(api: ApiClient, journeyId: string, request: Request) {
  const formData = await request.formData()
  const search = readSearch(request)
  const here = timelineHref(journeyId, search.page)
  const intent = requireIntent(formData, [...OF_JOURNEY, ...STEPS, ...AUTHORING])
  switch (intent) {
    case 'save-lift':
      return saveLift(api, journeyId, search, formData)
    case 'launch':
      return launch(api, journeyId, formData)
    case 'remove-lift':
      return removeLift(api, formData, here)
    case 'send-now':
    case 'send-chosen':
      return sendByHand(api, search.send ?? 0, formData, here)
    case 'send-test':
      return sendTest(api, search.test ?? 0, formData)
    default:
      return (await moveJourney(api, journeyId, formData)) ?? author(api, journeyId, request, formData)
  }
}
