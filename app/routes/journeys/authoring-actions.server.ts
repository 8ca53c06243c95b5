/** What the forms of the authoring dialogs do: each of them a plain post that saves one thing. */

import { z } from 'zod'
import type { ApiClient } from '#app/api/client.server.ts'
import { encodePath } from '#app/api/path.ts'
import { refuse } from '#app/api/refuse.server.ts'
import { LiftName } from '#app/domain/lifts/lift.ts'
import { Objective, ObjectiveForm, objectiveOfForm } from '#app/domain/objectives/objective.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { refuseGone } from '#app/routes/gone.server.ts'
import { requireIntent } from '#app/routes/intent.server.ts'
import { readForm } from '#app/routes/read-form.server.ts'
import { seenIn } from '#app/routes/seen.server.ts'
import { readSubject } from './authoring.server.ts'
import { changeBlocks, saveBlock } from './block-actions.server.ts'
import { changePrompts, savePrompt } from './prompt-actions.server.ts'
import { change, rearrange, type Task } from './rearranging.server.ts'
import { reason } from './reason.server.ts'
import { readSearch, timelineHref } from './schedule-search.ts'

export async function author(api: ApiClient, journeyId: string, request: Request, formData: FormData) {
  const work = WORK[requireIntent(formData, AUTHORING)]
  return work({ api, journeyId, request, formData, here: `/lljs/${journeyId}/schedule` })
}

const WORK = {
  'save-objective': saveObjective,
  'remove-objective': removeObjective,
  'save-block': saveBlock,
  'change-blocks': changeBlocks,
  'save-prompt': savePrompt,
  'change-prompts': changePrompts,
  'move-lift': moveLift,
} satisfies Record<string, (task: Task) => Promise<unknown>>

export const AUTHORING = Object.keys(WORK) as (keyof typeof WORK)[]

async function saveObjective({ api, journeyId, request, formData, here }: Task) {
  const submission = readForm(formData, ObjectiveForm)
  if (submission.status !== 'success') return refuse(submission)
  const { objective } = readSubject(request)
  try {
    const input = objectiveOfForm(submission.value)
    const { lock_version } = submission.value
    if (objective)
      await api.put(encodePath`/learning_objectives/${objective}`, { ...input, lock_version }, Objective)
    else await api.post(encodePath`/lljs/${journeyId}/learning_objectives`, input, Objective)
  } catch (error) {
    return refuseGone(submission, error, 'This objective was deleted meanwhile; save it again as a new one.')
  }
  return redirectWithToast(`${here}?objectives=true`, { title: 'Objective saved' })
}

async function removeObjective({ api, formData, here }: Task) {
  const url = `${here}?objectives=true`
  try {
    await api.delete(
      encodePath`/learning_objectives/${Number(formData.get('id'))}`,
      seenIn(formData, 'lock_version'),
    )
  } catch (error) {
    return redirectWithToast(url, { title: 'Not removed', message: await reason(error), variant: 'warning' })
  }
  return redirectWithToast(url, { title: 'Objective removed' })
}

/** A place from where it stands now, or to another one's: the page shows only some of the lifts. */
async function moveLift(task: Task) {
  const { api, journeyId, request, formData } = task
  const { data: lifts } = await api.get(
    encodePath`/lljs/${journeyId}/lifts`,
    z.object({ data: z.array(LiftName) }),
  )
  const ids = lifts.map((lift) => lift.id)
  const lift_ids = formData.has('moved') ? dropped(ids, formData) : stepped(ids, formData)
  const url = timelineHref(journeyId, readSearch(request).page)
  return rearrange(task, { order: lift_ids }, url, () =>
    api.patch(encodePath`/lljs/${journeyId}/lifts/order`, { lift_ids, ...seenIn(formData, 'order_version') }),
  )
}

function stepped(ids: readonly number[], formData: FormData): number[] {
  const way = formData.has('up') ? 'up' : 'down'
  const place = ids.indexOf(Number(formData.get(way)))
  return place < 0 ? [...ids] : change(ids, place, way)
}

/** Where it was let go: where another one stood, which makes room. */
function dropped(ids: readonly number[], formData: FormData): number[] {
  const from = ids.indexOf(Number(formData.get('moved')))
  const to = ids.indexOf(Number(formData.get('to')))
  const [id] = from < 0 || to < 0 ? [] : ids.slice(from, from + 1)
  return id === undefined ? [...ids] : ids.filter((one) => one !== id).toSpliced(to, 0, id)
}
