/** What the form of one part of a lift's page does, and the buttons beside each part. */

import { data } from '@remix-run/node'
import { encodePath } from '#app/api/path.ts'
import { refuse } from '#app/api/refuse.server.ts'
import { BlockForm, blockOfForm, nameBlock } from '#app/domain/lifts/block-form.ts'
import type { Block } from '#app/domain/lifts/blocks.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { refuseGone } from '#app/routes/gone.server.ts'
import { readForm } from '#app/routes/read-form.server.ts'
import { liftOf, readSubject } from './authoring.server.ts'
import { changesOfLift, questionBefore } from './impact.server.ts'
import { keepFiles } from './kept-files.server.ts'
import { mapFieldErrors } from './map-field-errors.server.ts'
import { change, rearrange, type Task } from './rearranging.server.ts'

export async function saveBlock({ api, journeyId, request, formData, here }: Task) {
  const { block: place } = readSubject(request)
  const wrong = await keepFiles(api, formData)
  const submission = readForm(formData, BlockForm)
  if (wrong) return data(submission.reply(wrong), { status: wrong.status })
  if (submission.status !== 'success') return refuse(submission)
  const form = submission.value
  const block = blockOfForm(form)
  try {
    const lift = await liftOf(api, journeyId, request)
    const { blocks, at } = written(lift.blocks, block, place)
    const impact = await questionBefore(api, journeyId, changesOfLift(lift, { blocks }), formData)
    if (impact) return data({ ...submission.reply(), impact })
    const names = { [`blocks.${at}.src`]: 'file', [`blocks.${at}.captions`]: 'captions_file' }
    try {
      await api.put(encodePath`/lifts/${lift.id}`, { blocks, lock_version: form.lock_version })
    } catch (error) {
      return await refuse(submission, await mapFieldErrors(error, names))
    }
    return redirectWithToast(`${here}?lift=${lift.id}`, { title: 'Page saved', message: nameBlock(block) })
  } catch (error) {
    return refuseGone(submission, error, 'This lift was deleted meanwhile.')
  }
}

/** In the place of the one that was opened; at the end when it is new, or another one stands there by now. */
function written(blocks: readonly Block[], block: Block, place: unknown) {
  const isThere = typeof place === 'number' && blocks[place]?.kind === block.kind
  return isThere
    ? { at: place, blocks: blocks.with(place, block) }
    : { at: blocks.length, blocks: [...blocks, block] }
}

export async function changeBlocks(task: Task) {
  const { api, journeyId, request, formData, here } = task
  const lift = await liftOf(api, journeyId, request)
  const lock_version = Number(formData.get('lock_version'))
  const blocks = change(lift.blocks, Number(formData.get('place')), formData.get('way'))
  return rearrange(task, changesOfLift(lift, { blocks }), `${here}?lift=${lift.id}`, () =>
    api.put(encodePath`/lifts/${lift.id}`, { blocks, lock_version }),
  )
}
