/** Pauses, resumes, completes or archives a journey, after a question. */

import {
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { z } from 'zod'
import { getJourney } from '#app/api/contract/journeys.ts'
import { archiveJourney, completeJourney, pauseJourney, resumeJourney } from '#app/api/contract/schedules.ts'
import type { Journey } from '#app/domain/journeys/journey.ts'
import { RESUME_MODES } from '#app/domain/planning/resume.ts'
import { isolated } from '#app/domain/text/isolated.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { already } from '#app/routes/why-not-done.server.ts'
import { ConfirmDialog, type DialogVariant } from '#app/ui/dialog.tsx'
import { reason } from '../reason.server.ts'
import { scheduleOf, useScheduleAddress } from './address.ts'
import { OFFERED, STEP_NAMES, STEPS, type Step } from './lifecycle.ts'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: data ? `${STEP_NAMES[data.step]} ${isolated(data.name)}? · Liftwell` : 'Schedule · Liftwell' },
]

function stepIn(step: string | undefined): Step {
  const found = STEPS.find((one) => one === step)
  if (!found) throw new Response('Not Found', { status: 404 })
  return found
}

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requireDashboard(args)
  const step = stepIn(args.params.step)
  const { name, status, grace_days, may_edit } = await api(getJourney, { id: args.params.journeyId })
  if (!may_edit || !OFFERED[status].includes(step))
    throw redirect(scheduleOf(args.params.journeyId, args.request))
  return { step, name, status, grace_days }
}

const Mode = z.enum(RESUME_MODES).catch('shift')
const CALLS = { pause: pauseJourney, complete: completeJourney, archive: archiveJourney } as const
const DONE = { pause: 'paused', resume: 'resumed', complete: 'completed', archive: 'archived' } as const
const STATES = { ...DONE, resume: 'active' } as const

export async function action(args: ActionFunctionArgs) {
  const { api } = await requireDashboard(args)
  const step = stepIn(args.params.step)
  const schedule = scheduleOf(args.params.journeyId, args.request)
  const mode = Mode.parse((await args.request.formData()).get('mode'))
  try {
    const id = args.params.journeyId
    const { name } = await (step === 'resume'
      ? api(resumeJourney, { id }, { mode })
      : api(CALLS[step], { id }))
    return await redirectWithToast(schedule, { title: `Journey ${DONE[step]}`, message: name })
  } catch (error) {
    if (!(error instanceof Response) || error.status !== 409) throw error
    const { name, status } = await api(getJourney, { id: args.params.journeyId })
    if (status === STATES[step]) return redirectWithToast(schedule, { ...already(DONE[step]), message: name })
    const message = await reason(error)
    return redirectWithToast(schedule, { title: 'Nothing changed', message, variant: 'error' })
  }
}

type Asked = Pick<Journey, 'status' | 'grace_days'>
type Question = { message: (journey: Asked) => string; variant: DialogVariant }

const QUESTIONS: Record<Exclude<Step, 'resume'>, Question> = {
  pause: {
    message: () =>
      'No lift or reminder is sent until you resume it. Learners can still answer what they got; sponsors can still write to them, and get their e-mail on Mondays.',
    variant: 'warning',
  },
  complete: {
    message: ({ grace_days }) =>
      `What has not been sent is canceled. ${whenClosed(grace_days)} Answers stay. You can’t undo this.`,
    variant: 'error',
  },
  archive: {
    message: ({ status }) =>
      status === 'draft'
        ? 'Archived journeys are read-only: this one can never be launched, only copied. You can’t undo this.'
        : 'Archived journeys are read-only: nothing more is sent, the lifts close at once, and the figures stay as they are. Learners can still read what they got. You can’t undo this.',
    variant: 'error',
  },
}

/** `days`: from the journey's details. */
function whenClosed(days: number): string {
  if (days === 0) return 'Learners can no longer answer what they got.'
  const long = days === 1 ? 'another day' : `another ${days} days`
  return `Learners can still answer what they got for ${long}; then its lifts close.`
}

export default function ConfirmStep() {
  const { step, name, ...journey } = useLoaderData<typeof loader>()
  const { schedule } = useScheduleAddress()
  const question =
    step === 'resume'
      ? { message: <ResumeModes /> }
      : { ...QUESTIONS[step], message: QUESTIONS[step].message(journey) }
  return (
    <ConfirmDialog
      title={`${STEP_NAMES[step]} ${isolated(name)}?`}
      continueText={`Yes, ${step}`}
      cancelHref={schedule}
      {...question}
    />
  )
}

function ResumeModes() {
  return (
    <>
      What has not been sent yet:{' '}
      <label className="choice">
        <input type="radio" name="mode" value="shift" defaultChecked /> moves by as long as the pause lasted
        (the gaps stay)
      </label>{' '}
      <label className="choice">
        <input type="radio" name="mode" value="skip" /> keeps its time, and what was due during the pause is
        skipped
      </label>
    </>
  )
}
