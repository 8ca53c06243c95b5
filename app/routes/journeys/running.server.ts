/** What the schedule page does with a launched journey: looks ahead, pauses, goes on, ends. */
import { z } from 'zod'
import type { ApiClient } from '#app/api/client.server.ts'
import { Journey } from '#app/domain/journeys/journey.ts'
import { MemberPage } from '#app/domain/members/member.ts'
import { Preview } from '#app/domain/schedules/preview.ts'
import { RESUME_MODES } from '#app/domain/schedules/resume.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { STEPS } from './running-panel.tsx'

const date = z.iso.date().optional().catch(undefined)
const Search = z.object({
  ask: z.enum(STEPS).optional().catch(undefined),
  preview: z.stringbool().catch(false),
  remove: z.coerce.number().int().positive().optional().catch(undefined),
  user: z.coerce.number().int().positive().optional().catch(undefined),
  as_of: date,
})

export async function readRunning(api: ApiClient, journeyId: string, request: Request) {
  const search = Search.parse(Object.fromEntries(new URL(request.url).searchParams))
  const { user, as_of } = search
  const impact = search.remove ? await impactOfRemoval(api, journeyId, search.remove) : null
  if (!search.preview) return { ask: search.ask, preview: null, learners: [], as_of, impact }
  const [preview, members] = await Promise.all([
    api.get(`/lljs/${journeyId}/schedule/preview`, Preview, { user_id: user, as_of }),
    api.get(`/lljs/${journeyId}/members`, MemberPage, {
      role: 'learner',
      per_page: 100,
      order_by: 'name',
      order: 'asc',
    }),
  ])
  const learners = members.data.map(({ user_id, name }) => ({ user_id, name }))
  return { ask: search.ask, preview, learners, as_of, impact }
}

async function impactOfRemoval(api: ApiClient, journeyId: string, lift_id: number) {
  const changes = { lifts: [{ lift_id, status: 'retired' }] }
  return (await api.post(`/lljs/${journeyId}/schedule/preview`, { changes }, Preview)).impact
}

const Step = z.object({
  intent: z.enum(STEPS),
  mode: z.enum(RESUME_MODES).default('shift').catch('shift'),
})
const DONE = { pause: 'Paused', resume: 'Resumed', complete: 'Completed', archive: 'Archived' } as const

/** Null: the form is about something else. */
export async function moveJourney(api: ApiClient, journeyId: string, formData: FormData) {
  const { data: step } = Step.safeParse(Object.fromEntries(formData))
  if (!step) return null
  const here = `/lljs/${journeyId}/schedule`
  try {
    const body = step.intent === 'resume' ? { mode: step.mode } : {}
    const { name } = await api.post(`/lljs/${journeyId}/${step.intent}`, body, Journey)
    return await redirectWithToast(here, { title: DONE[step.intent], message: name })
  } catch (error) {
    if (!(error instanceof Response) || error.status !== 409) throw error
    const { detail } = (await error.json()) as { detail: string }
    return redirectWithToast(here, { title: 'Nothing changed', message: detail, variant: 'error' })
  }
}
