/** What the forms of a journey's schedule do. */

import { data, redirect } from '@remix-run/node'
import type { ApiClient } from '#app/api/client.server.ts'
import { encodePath } from '#app/api/path.ts'
import { refuse } from '#app/api/refuse.server.ts'
import { Journey } from '#app/domain/journeys/journey.ts'
import { changeOfForm, JourneyForm, timingOf } from '#app/domain/journeys/journey-form.ts'
import { Lift, LiftInput } from '#app/domain/lifts/lift.ts'
import { LiftForm, liftOfForm, promptOfForm } from '#app/domain/lifts/lift-form.ts'
import { MembersAdded } from '#app/domain/participants/member.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { refuseGone } from '#app/routes/gone.server.ts'
import { readForm } from '#app/routes/read-form.server.ts'
import { seenIn } from '#app/routes/seen.server.ts'
import { changesOfLift, questionBefore } from './impact.server.ts'
import { reason } from './reason.server.ts'
import { renamed } from './renamed.server.ts'
import { participantsHref, type ScheduleSearch, timelineHref } from './schedule-search.ts'

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
      await renamed(error, { schedule: 'after_lift_id', status: 'is_ready' }),
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

export async function saveJourney(api: ApiClient, journeyId: string, formData: FormData) {
  const submission = readForm(formData, JourneyForm)
  if (submission.status !== 'success') return refuse(submission)
  try {
    const impact = await questionBefore(api, journeyId, { journey: timingOf(submission.value) }, formData)
    if (impact) return data({ ...submission.reply(), impact })
    await api.put(encodePath`/lljs/${journeyId}`, changeOfForm(submission.value), Journey)
    return redirectWithToast(`/lljs/${journeyId}/schedule`, { title: 'Journey saved' })
  } catch (error) {
    return refuse(submission, error)
  }
}

export async function launch(api: ApiClient, journeyId: string, formData: FormData) {
  const here = `/lljs/${journeyId}/schedule`
  const input = {
    expected_recipients: Number(formData.get('expected_recipients')),
    skip_past: formData.get('skip_past') === 'true',
  }
  try {
    const journey = await api.post(encodePath`/lljs/${journeyId}/launch`, input, Journey)
    return redirectWithToast(here, { title: 'Journey launched', message: journey.name })
  } catch (error) {
    const message = await reason(error)
    return redirectWithToast(here, { title: 'Not launched', message, variant: 'error' })
  }
}

export async function addMembers(api: ApiClient, journeyId: string, request: Request, formData: FormData) {
  const user_ids = formData.getAll('user_ids').map(Number)
  if (user_ids.length === 0) return data({ problem: 'Please tick at least one person.' }, { status: 422 })
  let added = 0
  try {
    ;({ added } = await api.post(encodePath`/lljs/${journeyId}/members`, { user_ids }, MembersAdded))
  } catch (error) {
    const problem = await reason(error)
    return data({ problem }, { status: 422 })
  }
  return redirectWithToast(participantsHref(journeyId, request), {
    title: added === 1 ? '1 learner added' : `${added} learners added`,
  })
}

export async function removeMember(api: ApiClient, journeyId: string, request: Request, formData: FormData) {
  const successor_id = Number(formData.get('successor_id')) || undefined
  try {
    await api.delete(encodePath`/lljs/${journeyId}/members/${Number(formData.get('member_id'))}`, {
      successor_id,
    })
  } catch (error) {
    const problem = await reason(error)
    return data({ problem }, { status: 422 })
  }
  return redirectWithToast(participantsHref(journeyId, request), { title: 'Removed from the journey' })
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
