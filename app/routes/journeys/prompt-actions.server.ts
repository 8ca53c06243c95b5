/** What the form of one question does, and the buttons beside each. */

import { data } from '@remix-run/node'
import { encodePath } from '#app/api/path.ts'
import { refuse } from '#app/api/refuse.server.ts'
import type { Lift } from '#app/domain/lifts/lift.ts'
import { PromptForm, promptOfForm } from '#app/domain/lifts/prompt-form.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { refuseGone } from '#app/routes/gone.server.ts'
import { readForm } from '#app/routes/read-form.server.ts'
import { seenIn } from '#app/routes/seen.server.ts'
import { liftOf, readSubject } from './authoring.server.ts'
import { questionBefore } from './impact.server.ts'
import { change, rearrange, type Task } from './rearranging.server.ts'

export async function savePrompt({ api, journeyId, request, formData, here }: Task) {
  const { prompt: id } = readSubject(request)
  const submission = readForm(formData, PromptForm)
  if (submission.status !== 'success') return refuse(submission)
  const { version } = submission.value
  const input = promptOfForm(submission.value)
  let gone = 'This lift was deleted meanwhile.'
  try {
    const lift = await liftOf(api, journeyId, request)
    gone = 'This question was removed meanwhile; save it again as a new one.'
    const address = typeof id === 'number' ? encodePath`/prompts/${ownPrompt(lift, id)}` : null
    const impact = await questionBefore(api, journeyId, otherWords(lift), formData)
    if (impact) return data({ ...submission.reply(), impact })
    if (address) await api.put(address, { ...input, version })
    else await api.post(encodePath`/lifts/${lift.id}/prompts`, input)
    return redirectWithToast(`${here}?lift=${lift.id}`, { title: 'Question saved', message: input.text })
  } catch (error) {
    return refuseGone(submission, error, gone)
  }
}

function ownPrompt(lift: Lift, id: number): number {
  if (!lift.prompts.some((prompt) => prompt.id === id)) throw new Response('Not Found', { status: 404 })
  return id
}

export async function changePrompts(task: Task) {
  const { api, journeyId, request, formData, here } = task
  const lift = await liftOf(api, journeyId, request)
  const ids = lift.prompts.map((prompt) => prompt.id)
  const id = ownPrompt(lift, Number(formData.get('id')))
  const way = formData.get('way')
  return rearrange(task, otherWords(lift), `${here}?lift=${lift.id}`, () =>
    way === 'remove'
      ? api.delete(encodePath`/prompts/${id}`, seenIn(formData, 'version'))
      : api.patch(encodePath`/lifts/${lift.id}/prompts/order`, {
          prompt_ids: change(ids, ids.indexOf(id), way),
          ...seenIn(formData, 'lock_version'),
        }),
  )
}

const otherWords = (lift: Lift) => ({ lifts: [{ lift_id: lift.id, content: true }] })
