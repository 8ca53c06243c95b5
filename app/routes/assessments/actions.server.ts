/** What the forms of a journey's assessments do, for those who write them. */

import { redirect } from '@remix-run/node'
import type { ApiClient } from '#app/api/client.server.ts'
import {
  createAssessment,
  deleteAssessment,
  listAssessments,
  updateAssessment,
} from '#app/api/contract/assessments.ts'
import { refuse } from '#app/api/refuse.server.ts'
import type { Assessment, ItemInput } from '#app/domain/assessments/assessment.ts'
import { AssessmentForm, assessmentOfForm } from '#app/domain/assessments/assessment-form.ts'
import { ItemForm, itemOfForm } from '#app/domain/assessments/item-form.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { refuseGone } from '#app/routes/gone.server.ts'
import { seenIn } from '#app/routes/seen.server.ts'
import { requireIntent } from '../intent.server.ts'
import { readForm } from '../read-form.server.ts'
import { readListSearch } from './search.ts'

type Task = { api: ApiClient; journeyId: string; request: Request; formData: FormData; url: string }

const INTENTS = [
  'save-assessment',
  'save-item',
  'item-up',
  'item-down',
  'remove-item',
  'remove-assessment',
] as const

export async function changeAssessments(api: ApiClient, journeyId: string, request: Request) {
  const formData = await request.formData()
  const task = { api, journeyId, request, formData, url: `/lljs/${journeyId}/assessments/` }
  switch (requireIntent(formData, INTENTS)) {
    case 'save-assessment':
      return saveAssessment(task)
    case 'save-item':
      return saveItem(task)
    case 'item-up':
    case 'item-down':
    case 'remove-item':
      return arrange(task)
    case 'remove-assessment':
      return remove(task)
  }
}

async function saveAssessment({ api, journeyId, request, formData, url }: Task) {
  const submission = readForm(formData, AssessmentForm)
  if (submission.status !== 'success') return refuse(submission)
  const { edit } = readListSearch(request)
  const { lock_version } = submission.value
  const input = assessmentOfForm(submission.value)
  try {
    const saved = edit
      ? await api(updateAssessment, { id: edit }, { ...input, lock_version })
      : await api(createAssessment, { id: journeyId }, input)
    return redirectWithToast(`${url}?edit=${saved.id}`, { title: 'Saved', message: saved.name })
  } catch (error) {
    const why = 'This assessment was deleted meanwhile; save it again as a new one.'
    return refuseGone(submission, await namedAsInForm(error), why)
  }
}

/** The rules of both ends are several fields of the form. */
async function namedAsInForm(error: unknown): Promise<unknown> {
  if (!(error instanceof Response) || error.status !== 422) return error
  const body = (await error.json()) as { detail: Record<string, string[]> }
  const detail = Object.fromEntries(
    Object.entries(body.detail).map(([name, why]) => {
      const [end = '', field = 'when'] = name.split('.')
      return [end === 'opens' || end === 'closes' ? `${end}_${field}` : name, why]
    }),
  )
  return new Response(JSON.stringify({ ...body, detail }), { status: 422 })
}

async function saveItem({ api, journeyId, request, formData, url }: Task) {
  const submission = readForm(formData, ItemForm)
  if (submission.status !== 'success') return refuse(submission)
  const { edit, item } = readListSearch(request)
  try {
    const { id, items } = await assessmentOf(api, journeyId, edit)
    const before = items.find((one) => one.id === item)
    const given = itemOfForm(submission.value, before)
    const next: ItemInput[] = before
      ? items.map((one) => (one.id === before.id ? given : one))
      : [...items, given]
    await api(
      updateAssessment,
      { id },
      {
        items: next,
        lock_version: submission.value.lock_version,
      },
    )
    return redirect(`${url}?edit=${id}`)
  } catch (error) {
    return refuseGone(submission, error, 'This assessment was deleted meanwhile.')
  }
}

async function assessmentOf(api: ApiClient, journeyId: string, id: number | undefined): Promise<Assessment> {
  const { assessments } = await api(
    listAssessments,
    { id: journeyId },
    {
      per_page: 1,
    },
  )
  const assessment = assessments.find((one) => one.id === id)
  if (!assessment) throw new Response('Not Found', { status: 404 })
  return assessment
}

/** Nothing was typed here, so what somebody else did meanwhile is simply shown. */
async function arrange({ api, journeyId, request, formData, url }: Task) {
  const { id, items } = await assessmentOf(api, journeyId, readListSearch(request).edit)
  const place = items.findIndex((one) => one.id === Number(formData.get('id')))
  const next = moved(items, place, String(formData.get('intent')))
  const to = `${url}?edit=${id}`
  try {
    await api(
      updateAssessment,
      { id },
      {
        items: next,
        lock_version: Number(formData.get('lock_version')),
      },
    )
  } catch (error) {
    if (!(error instanceof Response) || (error.status !== 409 && error.status !== 422)) throw error
    const message = 'Someone else changed this meanwhile; this is how it is now.'
    return redirectWithToast(to, { title: 'Not changed', message, variant: 'warning' })
  }
  return redirect(to)
}

function moved<Item>(items: readonly Item[], place: number, intent: string): Item[] {
  const item = items[place]
  if (item === undefined) return [...items]
  const others = items.toSpliced(place, 1)
  if (intent === 'remove-item') return others
  return others.toSpliced(Math.max(0, place + (intent === 'item-up' ? -1 : 1)), 0, item)
}

async function remove({ api, formData, url }: Task) {
  try {
    await api(deleteAssessment, { id: Number(formData.get('id')) }, seenIn(formData, 'lock_version'))
  } catch (error) {
    if (!(error instanceof Response) || error.status !== 409) throw error
    const { detail } = (await error.json()) as { detail: string }
    return redirectWithToast(url, { title: 'Not changed', message: detail, variant: 'warning' })
  }
  return redirectWithToast(url, { title: 'Done' })
}
