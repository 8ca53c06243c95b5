/** What the dialogs of the journeys' list do. */

import { data, redirect } from '@remix-run/node'
import type { ApiClient } from '#app/api/client.server.ts'
import { encodePath } from '#app/api/path.ts'
import { refuse } from '#app/api/refuse.server.ts'
import { Journey } from '#app/domain/journeys/journey.ts'
import {
  AuthorForm,
  changeOfForm,
  DuplicateForm,
  JourneyForm,
  NewJourneyForm,
  timingOf,
} from '#app/domain/journeys/journey-form.ts'
import { ImportResult, MAX_DOCUMENT_CHARACTERS } from '#app/domain/running/documents/document.ts'
import { chosenText } from '#app/routes/chosen-text.server.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { intentOf } from '#app/routes/intent.server.ts'
import { readForm } from '#app/routes/read-form.server.ts'
import { questionBefore } from './impact.server.ts'
import { reason } from './reason.server.ts'

type Asked = {
  edit?: number | undefined
  delete?: number | undefined
  duplicate?: number | undefined
  archive?: number | undefined
  author_of?: number | undefined
}

/** `back`: the list as it was. */
export async function manage(api: ApiClient, formData: FormData, asked: Asked, back: string) {
  switch (
    intentOf(formData, [
      'delete',
      'archive',
      'duplicate',
      'change-author',
      'import',
      'create',
      'save-journey',
    ])
  ) {
    case 'delete':
      return remove(api, asked.delete, back)
    case 'archive':
      return archive(api, asked.archive, back)
    case 'duplicate':
      return duplicate(api, formData, asked.duplicate)
    case 'change-author':
      return changeAuthor(api, formData, asked.author_of, back)
    case 'import':
      return bringIn(api, formData)
    default:
      return asked.edit ? save(api, formData, asked.edit, back) : create(api, formData)
  }
}

async function create(api: ApiClient, formData: FormData) {
  const submission = readForm(formData, NewJourneyForm)
  if (submission.status !== 'success') return refuse(submission)
  try {
    const { id } = await api.post('/lljs', submission.value, Journey)
    return redirect(`/lljs/${id}/schedule`)
  } catch (error) {
    return refuse(submission, error)
  }
}

async function save(api: ApiClient, formData: FormData, id: number, back: string) {
  const submission = readForm(formData, JourneyForm)
  if (submission.status !== 'success') return refuse(submission)
  try {
    const impact = await questionBefore(api, id, { journey: timingOf(submission.value) }, formData)
    if (impact) return data({ ...submission.reply(), impact })
    const { name } = await api.put(encodePath`/lljs/${id}`, changeOfForm(submission.value), Journey)
    return redirectWithToast(back, { title: 'Journey saved', message: name })
  } catch (error) {
    return refuse(submission, error)
  }
}

async function duplicate(api: ApiClient, formData: FormData, id: number | undefined) {
  const submission = readForm(formData, DuplicateForm)
  if (submission.status !== 'success') return refuse(submission)
  try {
    const copy = await api.post(encodePath`/lljs/${id}/duplicate`, submission.value, Journey)
    return redirectWithToast(`/lljs/${copy.id}/schedule`, { title: 'Duplicated', message: copy.name })
  } catch (error) {
    return refuse(submission, error)
  }
}

async function changeAuthor(api: ApiClient, formData: FormData, id: number | undefined, back: string) {
  const submission = readForm(formData, AuthorForm)
  if (submission.status !== 'success') return refuse(submission)
  try {
    const journey = await api.patch(encodePath`/lljs/${id}/author`, submission.value, Journey)
    return redirectWithToast(back, { title: 'Author changed', message: journey.author.name })
  } catch (error) {
    return refuse(submission, error)
  }
}

/** It may have been launched, or deleted, since the question was drawn. */
async function remove(api: ApiClient, id: number | undefined, back: string) {
  try {
    await api.delete(encodePath`/lljs/${id}`)
  } catch (error) {
    const message = await reason(error)
    return redirectWithToast(back, { title: 'Not deleted', message, variant: 'error' })
  }
  return redirectWithToast(back, { title: 'Draft deleted' })
}

async function archive(api: ApiClient, id: number | undefined, back: string) {
  try {
    const { name } = await api.post(encodePath`/lljs/${id}/archive`, {}, Journey)
    return redirectWithToast(back, { title: 'Journey archived', message: name })
  } catch (error) {
    if (!(error instanceof Response) || (error.status !== 409 && error.status !== 422)) throw error
    const { detail } = (await error.json()) as { detail: unknown }
    const message = typeof detail === 'string' ? detail : 'It has to be paused or completed first.'
    return redirectWithToast(back, { title: 'Not archived', message, variant: 'error' })
  }
}

/** The text comes back with what is said about it, so that nothing has to be chosen twice. */
async function bringIn(api: ApiClient, formData: FormData) {
  const chosen = await chosenText(formData, 'text')
  if ('problem' in chosen) return data({ problem: chosen.problem }, { status: 422 })
  const { text, isTyped } = chosen
  if (text.trim() === '') return data({ problem: 'Please choose a file or paste its text.' }, { status: 400 })
  if (text.length > MAX_DOCUMENT_CHARACTERS)
    return data({ problem: TOO_LONG, text: text.slice(0, MAX_DOCUMENT_CHARACTERS) }, { status: 422 })
  const isSure = formData.get('sure') === 'true' && isTyped
  const looked = await api.post('/lljs/import', { text, dry_run: true }, ImportResult)
  const isWrong = looked.problems.some((problem) => problem.severity === 'error')
  if (!isSure || isWrong) return data({ looked, text }, { status: isWrong ? 422 : 200 })
  const { journey_id, name } = await api.post('/lljs/import', { text, dry_run: false }, ImportResult)
  return redirectWithToast(`/lljs/${journey_id}/schedule`, { title: 'Journey imported', message: name })
}

const TOO_LONG = `This file is too long: at most ${MAX_DOCUMENT_CHARACTERS.toLocaleString('en-US')} characters.`
