/** What the forms of a journey's schedule do. */

import { data, redirect } from '@remix-run/node'
import type { ApiClient } from '#app/api/client.server.ts'
import { encodePath } from '#app/api/path.ts'
import { refuse } from '#app/api/refuse.server.ts'
import { Journey } from '#app/domain/journeys/journey.ts'
import { Lift, LiftInput } from '#app/domain/lifts/lift.ts'
import { LiftForm, liftOfForm, promptOfForm } from '#app/domain/lifts/lift-form.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { refuseGone } from '#app/routes/gone.server.ts'
import { readForm } from '#app/routes/read-form.server.ts'
import { seenIn } from '#app/routes/seen.server.ts'
import { changesOfLift, questionBefore } from './impact.server.ts'
import { mapFieldErrors } from './map-field-errors.server.ts'
import { reason } from './reason.server.ts'
import { type ScheduleSearch, timelineHref } from './schedule-search.ts'

export async function saveLift(
  api: ApiClient,
  journeyId: string,
  { lift: liftId, page, open }: ScheduleSearch,
  formData: FormData,
) {
  const submission = readForm(formData, LiftForm)
  if (submission.status !== 'success') return refuse(submission)
  const form = submission.value
  try {
    const before = liftId ? await api.get(encodePath`/lifts/${liftId}`, Lift) : undefined
    const input = liftOfForm(form, before)
    // Who only opens a part has changed nothing that would have to be saved or asked about.
    if (open && before && isAsIs(before, input)) return redirect(partHref(journeyId, before.id, open))
    const impact = await questionBefore(api, journeyId, changesOfLift(before, input), formData)
    if (impact) return data({ ...submission.reply(), impact })
    const lift = before
      ? await api.put(encodePath`/lifts/${before.id}`, { ...input, lock_version: form.lock_version }, Lift)
      : await api.post(encodePath`/lljs/${journeyId}/lifts`, input, Lift)
    const prompt = before ? null : promptOfForm(form)
    if (prompt) await api.post(encodePath`/lifts/${lift.id}/prompts`, prompt)
    const next = open ? partHref(journeyId, lift.id, open) : timelineHref(journeyId, page)
    return redirectWithToast(next, { title: 'Lift saved', message: lift.title })
  } catch (error) {
    const why = 'This lift was deleted meanwhile; save it again as a new one.'
    return refuseGone(
      submission,
      await mapFieldErrors(error, { schedule: 'after_lift_id', status: 'is_ready' }),
      why,
    )
  }
}

const partHref = (journeyId: string, liftId: number, part: string) =>
  `/lljs/${journeyId}/schedule?lift=${liftId}&${part.replace('.', '=')}`

function isAsIs(before: Lift, input: LiftInput): boolean {
  const stored: Record<string, unknown> = before
  return Object.entries(LiftInput.parse(input)).every(
    ([name, value]) => JSON.stringify(value) === JSON.stringify(stored[name]),
  )
}

export async function launch(api: ApiClient, journeyId: string, formData: FormData) {
  const here = `/lljs/${journeyId}/schedule`
  const input = {
    expected_recipients: Number(formData.get('expected_recipients')),
    skip_past: formData.get('skip_past') === 'true',
    send_now: formData.get('send_now') === 'true',
  }
  try {
    const journey = await api.post(encodePath`/lljs/${journeyId}/launch`, input, Journey)
    return redirectWithToast(here, { title: 'Journey launched', message: journey.name })
  } catch (error) {
    const message = await reason(error)
    return redirectWithToast(here, { title: 'Not launched', message, variant: 'error' })
  }
}

export async function removeLift(api: ApiClient, formData: FormData, here: string) {
  try {
    await api.delete(encodePath`/lifts/${Number(formData.get('lift_id'))}`, seenIn(formData, 'lock_version'))
  } catch (error) {
    const message = await reason(error)
    return redirectWithToast(here, { title: 'Not deleted', message, variant: 'error' })
  }
  return redirectWithToast(here, { title: 'Lift deleted' })
}
