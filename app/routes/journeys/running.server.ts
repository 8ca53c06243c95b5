/** What the schedule page does with a launched journey: looks ahead, pauses, goes on, ends. */

import { z } from 'zod'
import type { ApiClient } from '#app/api/client.server.ts'
import { encodePath } from '#app/api/path.ts'
import { Journey } from '#app/domain/journeys/journey.ts'
import { Preview } from '#app/domain/planning/preview.ts'
import { RESUME_MODES } from '#app/domain/planning/resume.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { foresee } from './foresee.server.ts'
import { STEPS } from './running-panel.tsx'

const Search = z.object({
  ask: z.enum(STEPS).optional().catch(undefined),
  preview: z.stringbool().catch(false),
  remove: z.coerce.number().int().positive().optional().catch(undefined),
})

export async function readRunning(api: ApiClient, journeyId: string, request: Request) {
  const { ask, preview, remove } = Search.parse(Object.fromEntries(new URL(request.url).searchParams))
  return {
    ask,
    impact: remove ? await impactOfRemoval(api, journeyId, remove) : null,
    foreseen: preview ? await foresee(api, journeyId, request) : null,
  }
}

async function impactOfRemoval(api: ApiClient, journeyId: string, lift_id: number) {
  const changes = { lifts: [{ lift_id, status: 'retired' }] }
  return (await api.post(encodePath`/lljs/${journeyId}/schedule/preview`, { changes }, Preview)).impact
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
    const { name } = await api.post(encodePath`/lljs/${journeyId}/${step.intent}`, body, Journey)
    return await redirectWithToast(here, { title: DONE[step.intent], message: name })
  } catch (error) {
    if (!(error instanceof Response) || error.status !== 409) throw error
    const { detail } = (await error.json()) as { detail: string }
    return redirectWithToast(here, { title: 'Nothing changed', message: detail, variant: 'error' })
  }
}
