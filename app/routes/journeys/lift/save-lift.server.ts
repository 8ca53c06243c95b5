/** Saves the form of a new or existing lift, after a question about the effect on planned messages. */

import { data, redirect } from '@remix-run/node'
import type { ApiClient } from '#app/api/client.server.ts'
import { createLift, getLift, updateLift } from '#app/api/contract/lifts.ts'
import { createPrompt } from '#app/api/contract/prompts.ts'
import { refuse } from '#app/api/refuse.server.ts'
import { type Lift, LiftInput } from '#app/domain/lifts/lift.ts'
import { LiftForm, liftOfForm, promptOfForm } from '#app/domain/lifts/lift-form.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { refuseGone, requirePage } from '#app/routes/gone.server.ts'
import { readForm } from '#app/routes/read-form.server.ts'
import { changesOfLift, questionBefore } from '../impact.server.ts'
import { readJourney } from '../journey.server.ts'
import { mapFieldErrors } from '../map-field-errors.server.ts'
import { scheduleOf } from '../schedule/address.ts'
import { liftOf } from './address.ts'

type Params = { readonly journeyId?: string; readonly liftId?: string }

export async function saveLift(api: ApiClient, params: Params, request: Request) {
  const formData = await request.formData()
  const part = partIn(formData)
  const submission = readForm(formData, LiftForm)
  if (submission.status !== 'success') return refuse(submission)
  const form = submission.value
  try {
    const before = params.liftId ? await api(getLift, { id: params.liftId }) : undefined
    const input = liftOfForm(form, before)
    // An unchanged form that only opens a part needs neither saving nor a question.
    if (part && before && isAsIs(before, input)) return redirect(liftOf(params, request, part))
    const changes = changesOfLift(before, input)
    const versions = before && { seen: form.lock_version, stored: before.lock_version }
    const impact = await questionBefore(api, String(params.journeyId), changes, formData, versions)
    if (impact) return data({ ...submission.reply(), impact })
    const lift = before
      ? await api(updateLift, { id: before.id }, { ...input, lock_version: form.lock_version as number })
      : await api(createLift, { id: params.journeyId }, input)
    const prompt = before ? null : promptOfForm(form)
    if (prompt) await api(createPrompt, { id: lift.id }, prompt)
    const saved = { ...params, liftId: String(lift.id) }
    const next = part ? liftOf(saved, request, part) : scheduleOf(params.journeyId, request)
    return redirectWithToast(next, { title: 'Lift saved', message: lift.title })
  } catch (error) {
    await requirePage(error, () => readJourney(api, params.journeyId))
    const why = 'Someone deleted this lift while you were editing. Save it again as a new one.'
    const names = { schedule: 'after_lift_id', status: 'is_ready' }
    return refuseGone(submission, await mapFieldErrors(error, names), why)
  }
}

/** The part to open after saving: an existing block or question, or a new one of a kind. */
function partIn(formData: FormData): string | null {
  const open = String(formData.get('open') ?? '')
  formData.delete('open')
  return /^(blocks|prompts)\/([a-z_]{1,20}|\d{1,15})$/.test(open) ? `/${open}` : null
}

function isAsIs(before: Lift, input: LiftInput): boolean {
  const stored: Record<string, unknown> = before
  return Object.entries(LiftInput.parse(input)).every(
    ([name, value]) => JSON.stringify(value) === JSON.stringify(stored[name]),
  )
}
