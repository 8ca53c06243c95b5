/** What the forms of the authoring dialogs do: each of them a plain post that saves one thing. */
import { data, redirect } from '@remix-run/node'
import { z } from 'zod'
import type { ApiClient } from '#app/api/client.server.ts'
import { refuse } from '#app/api/refuse.server.ts'
import { Upload } from '#app/domain/files/upload.ts'
import { BlockForm, blockOfForm } from '#app/domain/lifts/block-form.ts'
import { type Lift, LiftName } from '#app/domain/lifts/lift.ts'
import { PromptForm, promptOfForm } from '#app/domain/lifts/prompt-form.ts'
import { Objective, ObjectiveForm, objectiveOfForm } from '#app/domain/objectives/objective.ts'
import type { DraftChanges } from '#app/domain/schedules/preview.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { readForm } from '#app/routes/read-form.server.ts'
import { liftOf, readSubject } from './authoring.server.ts'
import { changesOfLift, questionBefore } from './impact.server.ts'
import { addGroup, importTable, returnMember, saveMember } from './participants-actions.server.ts'
import { renamed } from './renamed.server.ts'
import { readSearch, timelineHref } from './schedule-search.ts'

export async function author(api: ApiClient, journeyId: string, request: Request, formData: FormData) {
  const work = WORK[String(formData.get('intent'))]
  if (!work) throw new Response('Not Found', { status: 404 })
  return work({ api, journeyId, request, formData, here: `/lljs/${journeyId}/schedule` })
}

type Task = { api: ApiClient; journeyId: string; request: Request; formData: FormData; here: string }

const WORK: Record<string, (task: Task) => Promise<unknown>> = {
  'save-objective': saveObjective,
  'remove-objective': removeObjective,
  'save-block': saveBlock,
  'change-blocks': changeBlocks,
  'save-prompt': savePrompt,
  'change-prompts': changePrompts,
  'move-lift': moveLift,
  'save-member': saveMember,
  'add-group': addGroup,
  'return-member': returnMember,
  'import-members': importTable,
}

async function saveObjective({ api, journeyId, request, formData, here }: Task) {
  const submission = readForm(formData, ObjectiveForm)
  if (submission.status !== 'success') return refuse(submission)
  const { objective } = readSubject(request)
  try {
    const input = objectiveOfForm(submission.value)
    if (objective) await api.put(`/learning_objectives/${objective}`, input, Objective)
    else await api.post(`/lljs/${journeyId}/learning_objectives`, input, Objective)
  } catch (error) {
    return refuse(submission, error)
  }
  return redirect(`${here}?objectives=true`)
}

async function removeObjective({ api, formData, here }: Task) {
  await api.delete(`/learning_objectives/${Number(formData.get('id'))}`)
  return redirect(`${here}?objectives=true`)
}

async function saveBlock({ api, journeyId, request, formData, here }: Task) {
  const { block: place } = readSubject(request)
  const submission = readForm(formData, BlockForm)
  if (submission.status !== 'success') return refuse(submission)
  const form = submission.value
  try {
    const lift = await liftOf(api, journeyId, request)
    // From here on the file is ours: whatever is said about the rest, it need not be chosen again.
    form.src = submission.payload.src = await sourceOf(api, form.file, form.src)
    form.captions = submission.payload.captions = await captionsOf(api, form)
    const block = blockOfForm(form)
    const blocks =
      typeof place === 'number'
        ? lift.blocks.map((one, index) => (index === place ? block : one))
        : [...lift.blocks, block]
    const impact = await questionBefore(api, journeyId, changesOfLift(lift, { blocks }), formData)
    if (impact) return data({ ...submission.reply(), impact })
    await api.put(`/lifts/${lift.id}`, { blocks, lock_version: form.lock_version })
    return redirect(`${here}?lift=${lift.id}`)
  } catch (error) {
    return refuse(submission, error)
  }
}

/** Whatever a browser takes a .vtt file for. */
const captionsOf = (api: ApiClient, { captions, captions_file: file }: BlockForm): Promise<string> =>
  sourceOf(api, file && new File([file], file.name, { type: 'text/vtt' }), captions, 'captions_file')

async function sourceOf(
  api: ApiClient,
  file: File | undefined,
  src: string,
  field = 'file',
): Promise<string> {
  if (!file || file.size === 0) return src
  const body = new FormData()
  body.set('file', file)
  try {
    return (await api.post('/files', body, Upload)).src
  } catch (error) {
    throw isAway(error) ? noPlaceFor(field) : await renamed(error, { file: field })
  }
}

const isAway = (error: unknown): boolean =>
  error instanceof Error && (error.cause as { status?: unknown } | undefined)?.status === 503

/** As the API says what is wrong with a field, so that the form comes back with what was typed. */
const noPlaceFor = (field: string): Response =>
  Response.json(
    { detail: { [field]: ['Files cannot be kept right now. Please try again in a while.'] } },
    { status: 503 },
  )

/** Moves one of a list a place up or down, or takes it out. */
function change<Thing>(things: readonly Thing[], place: number, way: FormDataEntryValue | null): Thing[] {
  const rest = things.filter((_, index) => index !== place)
  const thing = things[place]
  if (thing === undefined || way === 'remove') return rest
  rest.splice(Math.max(0, way === 'up' ? place - 1 : place + 1), 0, thing)
  return rest
}

async function changeBlocks(task: Task) {
  const { api, journeyId, request, formData, here } = task
  const lift = await liftOf(api, journeyId, request)
  const lock_version = Number(formData.get('lock_version'))
  const blocks = change(lift.blocks, Number(formData.get('place')), formData.get('way'))
  return rearrange(task, changesOfLift(lift, { blocks }), `${here}?lift=${lift.id}`, () =>
    api.put(`/lifts/${lift.id}`, { blocks, lock_version }),
  )
}

async function savePrompt({ api, journeyId, request, formData, here }: Task) {
  const { prompt: id } = readSubject(request)
  const submission = readForm(formData, PromptForm)
  if (submission.status !== 'success') return refuse(submission)
  const { version } = submission.value
  const input = promptOfForm(submission.value)
  try {
    const lift = await liftOf(api, journeyId, request)
    const impact = await questionBefore(api, journeyId, otherWords(lift), formData)
    if (impact) return data({ ...submission.reply(), impact })
    if (typeof id === 'number') await api.put(`/prompts/${ownPrompt(lift, id)}`, { ...input, version })
    else await api.post(`/lifts/${lift.id}/prompts`, input)
    return redirect(`${here}?lift=${lift.id}`)
  } catch (error) {
    return refuse(submission, error)
  }
}

function ownPrompt(lift: Lift, id: number): number {
  if (!lift.prompts.some((prompt) => prompt.id === id)) throw new Response('Not Found', { status: 404 })
  return id
}

async function changePrompts(task: Task) {
  const { api, journeyId, request, formData, here } = task
  const lift = await liftOf(api, journeyId, request)
  const ids = lift.prompts.map((prompt) => prompt.id)
  const id = ownPrompt(lift, Number(formData.get('id')))
  const way = formData.get('way')
  return rearrange(task, otherWords(lift), `${here}?lift=${lift.id}`, () =>
    way === 'remove'
      ? api.delete(`/prompts/${id}`)
      : api.patch(`/lifts/${lift.id}/prompts/order`, { prompt_ids: change(ids, ids.indexOf(id), way) }),
  )
}

/** A place from where it stands now, or to another one's: the page shows only some of the lifts. */
async function moveLift(task: Task) {
  const { api, journeyId, request, formData } = task
  const { data: lifts } = await api.get(`/lljs/${journeyId}/lifts`, z.object({ data: z.array(LiftName) }))
  const ids = lifts.map((lift) => lift.id)
  const lift_ids = formData.has('moved') ? dropped(ids, formData) : stepped(ids, formData)
  const url = timelineHref(journeyId, readSearch(request).page)
  return rearrange(task, { order: lift_ids }, url, () =>
    api.patch(`/lljs/${journeyId}/lifts/order`, { lift_ids }),
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

const otherWords = (lift: Lift) => ({ lifts: [{ lift_id: lift.id, content: true }] })

/** Nothing was typed here, so what somebody else did meanwhile is simply shown. */
async function rearrange(
  { api, journeyId, formData }: Task,
  changes: DraftChanges,
  url: string,
  work: () => Promise<unknown>,
) {
  try {
    const impact = await questionBefore(api, journeyId, changes, formData)
    const posted = [...formData].map(([name, value]) => [name, String(value)])
    if (impact) return data({ impact, again: Object.fromEntries(posted) })
    await work()
  } catch (error) {
    if (!(error instanceof Response) || (error.status !== 409 && error.status !== 422)) throw error
    const message = 'Somebody else changed this meanwhile; this is how it stands now.'
    return redirectWithToast(url, { title: 'Not changed', message, variant: 'warning' })
  }
  return redirect(url)
}
